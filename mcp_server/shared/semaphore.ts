import { firstOf } from "./concurrency.ts";
import { BusyError } from "./error.ts";

/** How many runs may hold a permit at once, and how many runs of calls may wait for one. */
interface SemaphoreSize {
  readonly permits: number;
  readonly queue: number;
}

/** For what a run takes a permit: a call, which somebody waits for, or a job. */
export type Priority = "call" | "job";

/** The part of the permits that jobs leave to calls. */
const SHARE_OF_CALLS = 1 / 4;

/**
 * Lets a number of runs through at once. Those of calls go first, in order of arrival, and are
 * rejected if their queue is full; those of jobs wait in a queue of their own, and leave a quarter of
 * the permits, at least one, to calls. If there is only one permit, calls and jobs take turns. Each
 * step takes constant time.
 */
export class Semaphore {
  readonly #size: SemaphoreSize;
  readonly #mostJobs: number;
  /** Functions that pass a permit to each waiting run, in order. */
  readonly #queues: Readonly<Record<Priority, Set<() => void>>> = {
    call: new Set(),
    job: new Set(),
  };
  readonly #taken: Record<Priority, number> = { call: 0, job: 0 };
  #last: Priority = "job";

  constructor(size: SemaphoreSize) {
    this.#size = size;
    this.#mostJobs = Math.max(1, size.permits - Math.ceil(size.permits * SHARE_OF_CALLS));
  }

  /** How many permits are taken. */
  get taken(): number {
    return this.#taken.call + this.#taken.job;
  }

  /** How many runs of calls wait for a permit. */
  get waiting(): number {
    return this.#queues.call.size;
  }

  /** How many runs of jobs wait for a permit. */
  get waitingJobs(): number {
    return this.#queues.job.size;
  }

  /** How many more runs of jobs would get a permit at once. */
  get jobRoom(): number {
    if (this.waiting + this.waitingJobs > 0) return 0;
    return Math.min(this.#size.permits - this.taken, this.#mostJobs - this.#taken.job);
  }

  /**
   * Resolves with a permit, which is free again once disposed of. Rejects with a `BusyError` if the
   * queue of calls is full, and with the signal's reason if it aborts before a permit is free.
   */
  async acquire(signal: AbortSignal, priority: Priority = "call"): Promise<Disposable> {
    signal.throwIfAborted();
    const queue = this.#queues[priority];
    if (queue.size === 0 && this.#mayTake(priority)) return this.#createPermit(priority);
    if (priority === "call" && queue.size >= this.#size.queue) throw this.#busy();
    return await this.#wait(signal, priority);
  }

  #mayTake(priority: Priority): boolean {
    if (this.taken >= this.#size.permits) return false;
    return priority === "call" || this.#taken.job < this.#mostJobs;
  }

  #wait(signal: AbortSignal, priority: Priority): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const queue = this.#queues[priority];
    const grant = () => {
      aborted[Symbol.dispose]();
      queue.delete(grant);
      resolve(this.#createPermit(priority));
    };
    const aborted = firstOf({ signal }, () => {
      queue.delete(grant);
      reject(signal.reason);
    });
    queue.add(grant);
    return promise;
  }

  #createPermit(priority: Priority): Disposable {
    this.#taken[priority]++;
    this.#last = priority;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#release(priority);
        held = false;
      },
    };
  }

  #release(priority: Priority): void {
    this.#taken[priority]--;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [grant] = this.#queues[next];
      grant?.();
    }
  }

  /** The queue whose first run gets the next permit, if one is free. */
  #next(): Priority | undefined {
    const mayGo = (priority: Priority) =>
      this.#queues[priority].size > 0 && this.#mayTake(priority);
    const jobFirst = this.#size.permits === 1 && this.#last === "call";
    const order: readonly Priority[] = jobFirst ? ["job", "call"] : ["call", "job"];
    return order.find(mayGo);
  }

  #busy(): BusyError {
    const { permits } = this.#size;
    const waiting = this.#queues.call.size;
    const seconds = Math.max(1, Math.ceil(waiting / permits));
    return new BusyError(
      `Cannot start another command: ${this.taken} are running and ${waiting} are waiting, ` +
        `try again in ${seconds} s`,
      seconds,
    );
  }
}

/**
 * The permits of one call or job. A call keeps the permit of its first run until it is disposed of,
 * so runs in a row are never rejected half-way; runs at the same time take further permits.
 */
export class CallPermit implements Disposable {
  readonly #semaphore: Semaphore;
  readonly #priority: Priority;
  #idle: Disposable | undefined;
  /** The one that was kept last; a helper returns it. */
  #kept: Disposable | undefined;
  #waiting = 0;
  #disposed = false;

  constructor(semaphore: Semaphore, priority: Priority = "call") {
    this.#semaphore = semaphore;
    this.#priority = priority;
  }

  /** Takes a permit for one run; rejects as {@linkcode Semaphore.acquire} does. */
  async acquire(signal: AbortSignal): Promise<Disposable> {
    const kept = this.#idle;
    this.#idle = undefined;
    if (kept !== undefined) return kept;
    this.#waiting++;
    try {
      return await this.#semaphore.acquire(signal, this.#priority);
    } finally {
      this.#waiting--;
    }
  }

  /**
   * Releases a permit at the end of its run: the call keeps one. While runs of the same call wait
   * it keeps none, or they would wait for what their own call holds. A helper does not make it keep
   * a permit, because it may have no other run.
   */
  release(permit: Disposable, { helper = false }: { readonly helper?: boolean } = {}): void {
    const keeps = this.#idle === undefined && (!helper || permit === this.#kept);
    if (this.#disposed || this.#waiting > 0 || !keeps) return permit[Symbol.dispose]();
    this.#idle = this.#kept = permit;
  }

  /** Frees the kept permit; permits of current runs become free at their end. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#idle?.[Symbol.dispose]();
    this.#idle = undefined;
  }
}
