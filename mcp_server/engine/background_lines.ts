/** Characters that may wait to be written; further lines find no room. */
const MOST_WAITING = 1024 * 1024;

/** Where a {@linkcode BackgroundLines} writes, and what happens to the lines that find no room. */
export interface LineTarget {
  /** Writes lines; never rejects. Resolves with a further line to write, if there is one to add. */
  write(lines: readonly string[]): Promise<string | undefined>;
  /** Takes a line that finds no room, because what was written before is not taken yet. */
  onOverflow(line: string): void;
}

/**
 * Writes lines in their order, one batch after the other, without holding up the caller: a batch is
 * what came while the batch before was written. The lines that wait are bounded to 1 MiB characters.
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

  /** Gives up the lines that wait and returns them. */
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
