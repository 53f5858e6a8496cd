/** How often the store is polled for changes of other servers. */
const POLL_MS = 250;

/** Reports changes of a store: those of this server at once, those of others by polling. */
export class StoreChanges {
  readonly #version: () => number;
  readonly #listeners = new Set<(id: string | undefined) => void>();
  #seen = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Takes a function that returns another number after each change by another server. */
  constructor(version: () => number) {
    this.#version = version;
  }

  /** Calls back after each change, until disposed of; without listeners, nothing is polled. */
  listen(listener: (id: string | undefined) => void): Disposable {
    this.#listeners.add(listener);
    if (this.#timer === undefined) this.#start();
    return {
      [Symbol.dispose]: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.close();
      },
    };
  }

  /** Reports a change; without an id, any job may have changed. */
  report(id?: string): void {
    for (const listener of [...this.#listeners]) listener(id);
  }

  /** Stops polling. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#seen = this.#read() ?? NaN;
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    Deno.unrefTimer(Number(this.#timer));
  }

  #look(): void {
    const version = this.#read();
    if (version === undefined || version === this.#seen) return;
    this.#seen = version;
    this.report();
  }

  /** The version; `undefined` if the store fails, which is reported to those who use it. */
  #read(): number | undefined {
    try {
      return this.#version();
    } catch {
      return undefined;
    }
  }
}
