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

/** Characters that may wait to be written; further lines are dropped. */
const MOST_WAITING = 1024 * 1024;

/** Where a {@linkcode BackgroundLines} writes, and what happens to dropped lines. */
export interface LineTarget {
  /** Writes lines; never rejects. Resolves with a further line to write, if there is one to add. */
  write(lines: readonly string[]): Promise<string | undefined>;
  /** Called with a line that is dropped because earlier lines still wait to be written. */
  onOverflow(line: string): void;
}

/**
 * Writes lines in order, in batches, without blocking the caller: a batch is what arrived while the
 * previous batch was written. At most 1 MiB (1,048,576 characters) waits.
 */
export class BackgroundLines {
  readonly #target: LineTarget;
  readonly #delayMs: number;
  #waiting: string[] = [];
  #length = 0;
  #writing: Promise<void> | undefined;
  #startNow: (() => void) | undefined;

  /** Takes the target, and how long the first line of a batch waits for others. @default {0} */
  constructor(target: LineTarget, options: { readonly delayMs?: number } = {}) {
    const { delayMs = 0 } = options;
    this.#target = target;
    this.#delayMs = delayMs;
  }

  /** Writes a line in the background. Never throws. */
  write(line: string): void {
    if (this.#length + line.length > MOST_WAITING) return this.#target.onOverflow(line);
    this.#waiting.push(line);
    this.#length += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all lines are written. */
  async flush(): Promise<void> {
    this.#startNow?.();
    await this.#writing;
  }

  /** Discards the waiting lines and returns them. */
  takeWaiting(): readonly string[] {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    return lines;
  }

  async #writeAll(): Promise<void> {
    await this.#delay();
    while (this.#waiting.length > 0) {
      const addition = await this.#target.write(this.takeWaiting());
      if (addition === undefined) continue;
      this.#waiting.push(addition);
      this.#length += addition.length;
    }
    this.#writing = undefined;
  }

  async #delay(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#delayMs === 0) return await Promise.resolve();
    const timer = setTimeout(resolve, this.#delayMs);
    this.#startNow = resolve;
    await promise;
    clearTimeout(timer);
    this.#startNow = undefined;
  }
}
