import { Buffer } from "node:buffer";

/** How long a line may be, and how longer ones are handled. */
export interface LineOptions {
  /** In bytes, without the line end. */
  readonly maxBytes: number;
  /** Called once for each line that is longer; the line is skipped. */
  readonly onTooLong: () => void;
}

const LINE_FEED = 10;

/**
 * Yields whole lines with their line ends, and looks at each byte once; omits a last line without
 * an end.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, onTooLong }: LineOptions,
): AsyncGenerator<Buffer, void> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const lineEnd = chunk.indexOf(LINE_FEED, start);
      const end = lineEnd < 0 ? chunk.length : lineEnd;
      const wasTooLong = size > maxBytes;
      size += end - start;
      if (size <= maxBytes) parts.push(chunk.subarray(start, end + 1));
      else if (!wasTooLong) {
        parts = [];
        onTooLong();
      }
      start = end + 1;
      if (lineEnd < 0) continue;
      if (size <= maxBytes) yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  }
}
