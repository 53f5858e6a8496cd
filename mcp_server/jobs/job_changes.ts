import type { JobStore } from "./job_store.ts";

/** Waits for changes of one job; none is missed between two waits. */
export class JobChanges implements Disposable {
  readonly #listener: Disposable;
  #changed = Promise.withResolvers<"changed">();

  /** Listens to the changes of a job from now on. */
  constructor(store: JobStore, id: string) {
    this.#listener = store.onChange((changed) => {
      if (changed === undefined || changed === id) this.#changed.resolve("changed");
    });
  }

  /** Resolves at the next change, including one since the last call. */
  async next(): Promise<"changed"> {
    const changed = await this.#changed.promise;
    this.#changed = Promise.withResolvers();
    return changed;
  }

  /** Stops listening. */
  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }
}
