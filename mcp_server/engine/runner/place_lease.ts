import type { RunGate } from "./semaphore.ts";

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
