/** Bytes of a stream, and where they are in it. */
export interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/**
 * Finds a text in a stream of bytes that comes in pieces, also across their borders: the algorithm of
 * Knuth, Morris and Pratt, which takes linear time whatever the text is.
 */
export class TextFinder {
  readonly #text: Uint8Array;
  /** Of each beginning of the text, how long the longest shorter one is that it ends with. */
  readonly #borders: Uint32Array;
  /** How much of the text the bytes seen so far end with. */
  #matched = 0;
  #end = 0;

  /** Takes the text; it is not empty. */
  constructor(text: string) {
    this.#text = encoder.encode(text);
    this.#borders = new Uint32Array(this.#text.length);
    for (let at = 1; at < this.#text.length; at++) {
      this.#borders[at] = this.#follow(this.#borders[at - 1] ?? 0, this.#text[at]);
    }
  }

  /** Offset of the first byte that was not seen yet. */
  get end(): number {
    return this.#end;
  }

  /** Takes the next piece; whether the text ends in it. Nothing is found across missing bytes. */
  endsIn({ offset, bytes }: Piece): boolean {
    let matched = offset === this.#end ? this.#matched : 0;
    this.#end = offset + bytes.length;
    const most = this.#text.length;
    let isFound = false;
    for (let at = 0; at < bytes.length && !isFound; at++) {
      matched = this.#follow(matched, bytes[at]);
      isFound = matched === most;
    }
    this.#matched = isFound ? 0 : matched;
    return isFound;
  }

  /** How much of the text is matched if this byte comes after `matched` bytes of it. */
  #follow(matched: number, byte: number | undefined): number {
    let length = matched;
    while (length > 0 && this.#text[length] !== byte) length = this.#borders[length - 1] ?? 0;
    return this.#text[length] === byte ? length + 1 : 0;
  }
}
