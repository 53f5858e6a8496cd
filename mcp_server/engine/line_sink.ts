import { BackgroundLines } from "./background_lines.ts";

const encoder = new TextEncoder();

/** A destination for whole lines. */
export interface LineSink {
  /** Writes a line, including its line end, in the background. Never throws. */
  write(line: string): void;
  /** Resolves when the waiting lines are written. */
  flush(): Promise<void>;
}

/**
 * Lines on stderr, or on another stream. They are written in the background, because a pipe that
 * nobody reads would otherwise block the whole server once it is full. Lines beyond the buffer are
 * dropped, and a line says how many; a closed stream does not stop the server.
 */
export function stderrSink(
  stream: { write(bytes: Uint8Array): Promise<number> } = Deno.stderr,
): LineSink {
  let dropped = 0;
  return new BackgroundLines({
    async write(lines) {
      try {
        await writeAll(stream, lines.join(""));
      } catch {
        // There is nowhere else to report it.
      }
      if (dropped === 0) return undefined;
      const notice = `{"level":"warn","message":"${dropped} lines dropped"}\n`;
      dropped = 0;
      return notice;
    },
    onOverflow: () => void dropped++,
  });
}

async function writeAll(
  stream: { write(bytes: Uint8Array): Promise<number> },
  text: string,
): Promise<void> {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) at += await stream.write(bytes.subarray(at));
}
