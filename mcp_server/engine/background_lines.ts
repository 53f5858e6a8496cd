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
