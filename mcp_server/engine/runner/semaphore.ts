import { BusyError } from "../../domain/error.ts";

/** How many may be in at once, and how many may wait outside. */
export interface GateSize {
  readonly places: number;
  readonly queue: number;
}

/**
 * Lets a number of runs in at once; the next ones wait in the order of their coming, and where the
 * queue is full too, are refused. Each step takes constant time.
 */
export class RunGate {
  readonly #size: GateSize;
  /** What lets each waiting run in, in order. */
  readonly #queue = new Set<() => void>();
  #taken = 0;

  /** Takes the number of places and the length of the queue. */
  constructor(size: GateSize) {
    this.#size = size;
  }

  /** How many places are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Resolves with a place, which is free again once disposed of. Rejects with a `BusyError` where
   * the queue is full, and with the signal's reason where it aborts before a place is free.
   */
  async enter(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#taken < this.#size.places) {
      this.#taken++;
      return this.#createPlace();
    }
    if (this.#queue.size >= this.#size.queue) throw this.#busy();
    return await this.#wait(signal);
  }

  #wait(signal: AbortSignal): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const letIn = () => {
      signal.removeEventListener("abort", leave);
      resolve(this.#createPlace());
    };
    const leave = () => {
      this.#queue.delete(letIn);
      reject(signal.reason);
    };
    this.#queue.add(letIn);
    signal.addEventListener("abort", leave, { once: true });
    return promise;
  }

  #createPlace(): Disposable {
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#passOn();
        held = false;
      },
    };
  }

  #passOn(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#taken--;
    } else {
      this.#queue.delete(next);
      next();
    }
  }

  #busy(): BusyError {
    const { places } = this.#size;
    const waiting = this.#queue.size;
    const seconds = Math.max(1, Math.ceil(waiting / places));
    return new BusyError(
      `Cannot start another command: ${this.#taken} are running and ${waiting} are waiting, ` +
        `try again in ${seconds} s`,
      seconds,
    );
  }
}

/**
 * The places of one call. A call keeps the place of its first run until it is disposed of, so runs
 * in a row are never refused half-way; runs at the same time take further places.
 */
export class PlaceLease implements Disposable {
  readonly #gate: RunGate;
  #idle: Disposable | undefined;
  #waiting = 0;
  #disposed = false;

  /** Takes the gate that every call enters by. */
  constructor(gate: RunGate) {
    this.#gate = gate;
  }

  /** Takes a place for one run; rejects as {@linkcode RunGate.enter} does. */
  async take(signal: AbortSignal): Promise<Disposable> {
    const kept = this.#idle;
    this.#idle = undefined;
    if (kept !== undefined) return kept;
    this.#waiting++;
    try {
      return await this.#gate.enter(signal);
    } finally {
      this.#waiting--;
    }
  }

  /**
   * Gives a place back at the end of its run: the call keeps one. While runs of the same call wait
   * it keeps none, or they would wait for what their own call holds.
   */
  giveBack(place: Disposable): void {
    if (this.#disposed || this.#waiting > 0 || this.#idle !== undefined) place[Symbol.dispose]();
    else this.#idle = place;
  }

  /** Frees the kept place; places of runs under way become free at their end. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#idle?.[Symbol.dispose]();
    this.#idle = undefined;
  }
}
