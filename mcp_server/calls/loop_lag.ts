/** How often the delay of a timer is measured. */
const INTERVAL_MS = 500;

/** Measures how late timers fire, which is how long the event loop was held. */
export class LoopLag implements Disposable {
  #longest = 0;
  #expected = performance.now() + INTERVAL_MS;
  readonly #timer: ReturnType<typeof setInterval>;

  /** Starts to measure, without keeping the process alive. */
  constructor() {
    this.#timer = setInterval(() => this.#measure(), INTERVAL_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** The longest delay since the last call, in seconds. */
  take(): number {
    this.#measure();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A timer that is due and has not fired counts too. */
  #measure(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, (now - this.#expected) / 1_000);
    if (now >= this.#expected) this.#expected = now + INTERVAL_MS;
  }
}
