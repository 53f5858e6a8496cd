/** Waits that can be ended together, so that no timer outlives its owner. */
export class PendingDelays {
  readonly #ends = new Set<() => void>();

  /** Waits; rejects with the signal's reason as soon as that aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = () => {
        clearTimeout(timer);
        this.#ends.delete(end);
        signal.removeEventListener("abort", abort);
      };
      const end = () => {
        release();
        resolve();
      };
      const abort = () => {
        release();
        reject(signal.reason);
      };
      const timer = setTimeout(end, ms);
      if (signal.aborted) return abort();
      this.#ends.add(end);
      signal.addEventListener("abort", abort);
    });
  }

  /** Ends all waits at once. */
  flush(): void {
    for (const end of [...this.#ends]) end();
  }
}
