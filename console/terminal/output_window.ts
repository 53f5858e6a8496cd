/** A part of a stream of bytes: its text, or `undefined` where the server has not kept it. */
export interface OutputPiece {
  /** Offset of the first byte. */
  readonly from: number;
  /** Offset after the last byte. */
  readonly to: number;
  readonly text?: string | undefined;
}

/** The part of a stream that is shown: pieces without holes between them. */
export class OutputWindow {
  #pieces: OutputPiece[] = [];

  /** The pieces, in order. */
  get pieces(): readonly OutputPiece[] {
    return this.#pieces;
  }

  /** Offset of the first byte that is shown. */
  get start(): number {
    return this.#pieces[0]?.from ?? 0;
  }

  /** Offset after the last byte that is shown. */
  get end(): number {
    return this.#pieces.at(-1)?.to ?? 0;
  }

  /** Adds a piece at the end; what lies between is a gap. Returns the pieces that are new. */
  append(piece: OutputPiece): readonly OutputPiece[] {
    if (this.#pieces.length > 0 && piece.to <= this.end) return [];
    const isBehind = this.#pieces.length > 0 && piece.from > this.end;
    const added = isBehind ? [{ from: this.end, to: piece.from }, piece] : [piece];
    this.#pieces.push(...added);
    return added;
  }

  /** Adds a piece at the beginning; what lies between is a gap. */
  prepend(piece: OutputPiece): void {
    const gap = piece.to < this.start ? [{ from: piece.to, to: this.start }] : [];
    this.#pieces.unshift(piece, ...gap);
  }

  /** Drops pieces from the beginning until at most so many bytes are shown. */
  trim(maxBytes: number): void {
    while (this.#pieces.length > 1 && this.end - this.start > maxBytes) this.#pieces.shift();
  }
}

/** The part before `start` that is to be loaded next, as the server keeps it. */
export function partBefore(
  start: number,
  gap: { readonly from: number; readonly to: number } | undefined,
  size: number,
): { readonly from: number; readonly to: number } | undefined {
  const to = gap !== undefined && start > gap.from && start <= gap.to ? gap.from : start;
  if (to <= 0) return undefined;
  const from = Math.max(0, to - size);
  return { from: gap !== undefined && to > gap.to ? Math.max(from, gap.to) : from, to };
}

/**
 * Decodes bytes that may begin and end within a character: a piece has whole characters only, and
 * the bytes that it lacks are not in its offsets.
 */
export function toPiece(bytes: Uint8Array<ArrayBuffer>, from: number): OutputPiece {
  const head = from === 0 ? 0 : leadingPart(bytes);
  const end = bytes.length - trailingPart(bytes);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(head, end));
  return { from: from + head, to: from + Math.max(head, end), text };
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

/** How many bytes at the beginning belong to a character before it: at most 3. */
function leadingPart(bytes: Uint8Array): number {
  const index = bytes.findIndex((byte) => !isContinuation(byte));
  const length = index < 0 ? bytes.length : index;
  return length > 3 ? 0 : length;
}

/** How many bytes at the end begin a character that goes on after it: at most 3. */
function trailingPart(bytes: Uint8Array): number {
  for (let size = 1; size <= Math.min(3, bytes.length); size++) {
    const byte = bytes[bytes.length - size] ?? 0;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > size ? size : 0;
  }
  return 0;
}
