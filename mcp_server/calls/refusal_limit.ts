/** Addresses that are remembered; more of them at once share one entry. */
const MOST = 1_024;
const OTHERS = "others";

/** Lets something happen at most once in a while for each address, and counts what it leaves out. */
export class RefusalLimit {
  readonly #everyMs: number;
  /** When it last happened, the oldest first, and how often it was left out since. */
  readonly #last = new Map<string, { readonly at: number; left: number }>();

  /** Takes the least time between two for one address, in milliseconds. */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /**
   * Returns how many were left out for an address since its last one, or `undefined` if this one is
   * to be left out too; `now` is in milliseconds and never goes back.
   */
  take(address: string, now: number): number | undefined {
    const key = this.#hasRoomFor(address, now) ? address : OTHERS;
    const last = this.#last.get(key);
    if (last !== undefined && now - last.at < this.#everyMs) {
      last.left++;
      return undefined;
    }
    this.#last.delete(key);
    this.#last.set(key, { at: now, left: 0 });
    return last?.left ?? 0;
  }

  #hasRoomFor(address: string, now: number): boolean {
    if (this.#last.has(address) || this.#last.size < MOST) return true;
    for (const [oldest, { at }] of this.#last) {
      if (now - at < this.#everyMs) return false;
      return this.#last.delete(oldest);
    }
    return true;
  }
}
