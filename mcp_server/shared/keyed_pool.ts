interface Idle {
  readonly key: string;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Keeps what is expensive to start, such as connections and processes, while nobody uses it. What
 * has not been taken again after its time is closed.
 */
export class KeyedPool<Item> {
  readonly #close: (item: Item) => void;
  readonly #most: number;
  /** The one that has been idle longest comes first. */
  readonly #idle = new Map<Item, Idle>();
  #closed = false;

  /** Keeps as many items as `most` says; one more closes the one that has been idle longest. */
  constructor(close: (item: Item) => void, { most = Infinity }: { readonly most?: number } = {}) {
    this.#close = close;
    this.#most = most;
  }

  /** How many items are idle. */
  get size(): number {
    return this.#idle.size;
  }

  /** The one that has been idle longest. */
  get oldest(): Item | undefined {
    const [oldest] = this.#idle.keys();
    return oldest;
  }

  /** Whether an item of a key is idle. */
  has(key: string): boolean {
    return this.#idle.values().some((idle) => idle.key === key);
  }

  /** Takes the item of a key that was used last, or `undefined` if none is idle. */
  take(key: string): Item | undefined {
    const [item] = [...this.#idle].findLast(([, idle]) => idle.key === key) ?? [];
    if (item !== undefined) this.remove(item);
    return item;
  }

  /** Keeps an item for a time, without which it is kept until the pool is closed. */
  give(key: string, item: Item, idleMs?: number): void {
    if (this.#closed) return this.#close(item);
    const timer = idleMs === undefined ? undefined : setTimeout(() => this.drop(item), idleMs);
    timer?.unref();
    this.#idle.set(item, { key, timer });
    const { oldest } = this;
    if (this.#idle.size > this.#most && oldest !== undefined) this.drop(oldest);
  }

  /** Removes an item without closing it; returns whether it was idle. */
  remove(item: Item): boolean {
    clearTimeout(this.#idle.get(item)?.timer);
    return this.#idle.delete(item);
  }

  /** Closes an item, if it is idle. */
  drop(item: Item): void {
    if (this.remove(item)) this.#close(item);
  }

  /** Closes all idle items, and those that are given later. */
  close(): void {
    this.#closed = true;
    for (const item of [...this.#idle.keys()]) this.drop(item);
  }
}
