const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes, or `undefined` if they are not UTF-8; byte order marks stay. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

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
    const end = start + lengthOfCharacter(bytes[start] ?? 0);
    if (end > index && decodeUtf8(bytes.subarray(start, end)) !== undefined) return { start, end };
  }
  return undefined;
}

/** Removes the start of a character whose end is beyond the cut (RFC 3629, section 3). */
export function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(-3).findLastIndex((byte) => !isContinuation(byte));
  if (start === -1) return bytes;
  const present = Math.min(3, bytes.length) - start;
  const lead = bytes.at(-present) ?? 0;
  return lengthOfCharacter(lead) > present ? bytes.subarray(0, -present) : bytes;
}

/** Removes the end of a character that starts before the cut. */
export function withoutCutStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

/** How many bytes the character has that starts with this byte (RFC 3629, section 3). */
function lengthOfCharacter(lead: number): number {
  if (lead >= 0b1111_1000) return 1;
  if (lead >= 0b1111_0000) return 4;
  if (lead >= 0b1110_0000) return 3;
  return lead >= 0b1100_0000 ? 2 : 1;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a text in base64 (RFC 4648, section 4), with padding and without line breaks;
 * `undefined` if it has another form.
 */
export function exactBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (BASE64.test(text)) return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    // The padding is wrong.
  }
  return undefined;
}
