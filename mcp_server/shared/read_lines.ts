import { Buffer } from "node:buffer";

/** How long a line may be, and how longer ones are handled. */
interface LineOptions {
  /** In bytes, without the line end. @default {Infinity} */
  readonly maxBytes?: number;
  /** Called once for each line that is longer; the line is skipped. */
  readonly onTooLong?: () => void;
}

const LINE_FEED = 10;

/** Collects lines from chunks of bytes, which it keeps without copying, and looks at each byte once. */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onTooLong: () => void;
  /** Parts of the line that has not ended. */
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor({ maxBytes = Infinity, onTooLong = () => {} }: LineOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  /** Yields the lines that a chunk ends, each with its line end. */
  *read(chunk: Uint8Array): Generator<Buffer, void> {
    for (let start = 0; start < chunk.length;) {
      const lineEnd = chunk.indexOf(LINE_FEED, start);
      const end = lineEnd < 0 ? chunk.length : lineEnd;
      this.#add(chunk.subarray(start, end + 1), end - start);
      start = end + 1;
      if (lineEnd < 0) return;
      const isWhole = this.#size <= this.#maxBytes;
      const parts = this.#parts;
      this.#parts = [];
      this.#size = 0;
      if (isWhole) yield Buffer.concat(parts);
    }
  }

  #add(part: Uint8Array, size: number): void {
    const wasTooLong = this.#size > this.#maxBytes;
    this.#size += size;
    if (this.#size <= this.#maxBytes) {
      this.#parts.push(part);
    } else if (!wasTooLong) {
      this.#parts = [];
      this.#onTooLong();
    }
  }
}

/** Yields whole lines with their line ends; omits a last line without an end. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  options: LineOptions,
): AsyncGenerator<Buffer, void> {
  const reader = new LineReader(options);
  for await (const chunk of chunks) yield* reader.read(chunk);
}
