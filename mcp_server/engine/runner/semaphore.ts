import { firstOf } from "../../domain/deadline.ts";
import { BusyError } from "../../domain/error.ts";

/** How many runs may hold a permit at once, and how many may wait for one. */
export interface SemaphoreSize {
  readonly permits: number;
  readonly queue: number;
}

/**
 * Lets a number of runs through at once; the next ones wait in order of arrival, and if the queue
 * is full too, are rejected. Each step takes constant time.
 */
export class Semaphore {
  readonly #size: SemaphoreSize;
  /** Functions that pass a permit to each waiting run, in order. */
  readonly #queue = new Set<() => void>();
  #taken = 0;

  /** Takes the number of permits and the length of the queue. */
  constructor(size: SemaphoreSize) {
    this.#size = size;
  }

  /** How many permits are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** How many wait for a permit. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Resolves with a permit, which is free again once disposed of. Rejects with a `BusyError` if the
   * queue is full, and with the signal's reason if it aborts before a permit is free.
   */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#taken < this.#size.permits) {
      this.#taken++;
      return this.#createPermit();
    }
    if (this.#queue.size >= this.#size.queue) throw this.#busy();
    return await this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const grant = () => {
      aborted[Symbol.dispose]();
      resolve(this.#createPermit());
    };
    const aborted = firstOf({ signal }, () => {
      this.#queue.delete(grant);
      reject(signal.reason);
    });
    this.#queue.add(grant);
    return promise;
  }

  #createPermit(): Disposable {
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#release();
        held = false;
      },
    };
  }

  #release(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#taken--;
    } else {
      this.#queue.delete(next);
      next();
    }
  }

  #busy(): BusyError {
    const { permits } = this.#size;
    const waiting = this.#queue.size;
    const seconds = Math.max(1, Math.ceil(waiting / permits));
    return new BusyError(
      `Cannot start another command: ${this.#taken} are running and ${waiting} are waiting, ` +
        `try again in ${seconds} s`,
      seconds,
    );
  }
}

/**
 * The permits of one call. A call keeps the permit of its first run until it is disposed of, so runs
 * in a row are never rejected half-way; runs at the same time take further permits.
 */
export class CallPermit implements Disposable {
  readonly #semaphore: Semaphore;
  #idle: Disposable | undefined;
  #waiting = 0;
  #disposed = false;

  /** Takes the semaphore of all calls. */
  constructor(semaphore: Semaphore) {
    this.#semaphore = semaphore;
  }

  /** Takes a permit for one run; rejects as {@linkcode Semaphore.acquire} does. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    const kept = this.#idle;
    this.#idle = undefined;
    if (kept !== undefined) return kept;
    this.#waiting++;
    try {
      return await this.#semaphore.acquire(signal);
    } finally {
      this.#waiting--;
    }
  }

  /**
   * Releases a permit at the end of its run: the call keeps one. While runs of the same call wait
   * it keeps none, or they would wait for what their own call holds.
   */
  release(permit: Disposable): void {
    if (this.#disposed || this.#waiting > 0 || this.#idle !== undefined) permit[Symbol.dispose]();
    else this.#idle = permit;
  }

  /** Frees the kept permit; permits of current runs become free at their end. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#idle?.[Symbol.dispose]();
    this.#idle = undefined;
  }
}
