import { Buffer } from "node:buffer";

/** Bytes of a stream, and where they are in it. */
export interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Finds a text in a stream of bytes that comes in pieces, also across their borders. */
export class TextFinder {
  readonly #text: Buffer;
  /** The last bytes, in which the text may begin. */
  #rest: Buffer = Buffer.alloc(0);
  #end = 0;

  /** Takes the text. */
  constructor(text: string) {
    this.#text = Buffer.from(text);
  }

  /** Offset of the first byte that was not seen yet. */
  get end(): number {
    return this.#end;
  }

  /** Takes the next piece; whether the text ends in it. Nothing is found across missing bytes. */
  endsIn({ offset, bytes }: Piece): boolean {
    const before = offset === this.#end ? this.#rest : Buffer.alloc(0);
    const all = Buffer.concat([before, bytes]);
    this.#end = offset + bytes.length;
    this.#rest = Buffer.from(all.subarray(Math.max(0, all.length - this.#text.length + 1)));
    return all.includes(this.#text);
  }
}
