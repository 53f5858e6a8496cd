import { isLocked } from "./sqlite_file.ts";

/**
 * How long a step waits for the transactions of other processes: on a busy machine a server may be
 * paused in the midst of one.
 */
const WAIT_MS = 10_000;
/** How long one still waits once the store is to be closed. */
const CLOSE_MS = 1_000;
/** Pauses between the attempts, in milliseconds. */
const PAUSE = { first: 1, longest: 50 };

/**
 * Runs the steps of a store whose file other processes may lock. A step that meets a lock changes
 * nothing, and is tried again after a pause in which everything else goes on; steps that change
 * something wait behind it, in order.
 */
export class StoreTurns {
  readonly #waitMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #end = Infinity;

  constructor(waitMs: number = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /** Runs a step that changes something; rejects as it throws, and if the lock stays. */
  async run<T>(step: () => T): Promise<T> {
    if (this.#waiting > 0) return await this.#inTurn(step);
    return await this.#atOnce(step);
  }

  /** Runs a step that only reads, which most locks allow, before those that wait. */
  async read<T>(step: () => T): Promise<T> {
    return await this.#atOnce(step);
  }

  /** Lets no step wait for long any more. */
  endSoon(): void {
    this.#end = performance.now() + CLOSE_MS;
  }

  /** Resolves once no step waits. */
  async idle(): Promise<void> {
    while (this.#waiting > 0) await this.#last;
  }

  async #atOnce<T>(step: () => T): Promise<T> {
    try {
      return step();
    } catch (error) {
      if (!isLocked(error)) throw error;
      return await this.#inTurn(step);
    }
  }

  async #inTurn<T>(step: () => T): Promise<T> {
    const until = performance.now() + this.#waitMs;
    this.#waiting++;
    const turn = this.#last.then(() => this.#repeat(step, until));
    const over = () => void this.#waiting--;
    this.#last = turn.then(over, over);
    return await turn;
  }

  async #repeat<T>(step: () => T, until: number): Promise<T> {
    for (let pause = PAUSE.first;; pause = Math.min(2 * pause, PAUSE.longest)) {
      try {
        return step();
      } catch (error) {
        const isOver = performance.now() >= Math.min(until, this.#end);
        if (isOver || !isLocked(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
