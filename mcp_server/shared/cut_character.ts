/** Where a character starts and ends. */
export interface CharacterBounds {
  /** Index of its first byte. */
  readonly start: number;
  /** Index after its last byte. */
  readonly end: number;
}

/** The character that an index cuts in two, or `undefined` if it cuts none. */
export function cutCharacter(bytes: Uint8Array, index: number): CharacterBounds | undefined {
  for (let start = index - 1; start >= Math.max(0, index - 3); start--) {
    const end = start + sequenceLength(bytes[start] ?? 0);
    if (end > index && decodeUtf8(bytes.subarray(start, end)) !== undefined) return { start, end };
  }
  return undefined;
}

/** How many bytes the character has that starts with this byte (RFC 3629, section 3). */
function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes, or `undefined` if they are not UTF-8; byte order marks stay. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
