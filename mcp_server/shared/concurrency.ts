/** What may end a wait. */
export interface WaitBounds {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from now. */
  readonly timeoutMs?: number | undefined;
}

/** What ended a wait: its signal, or its time. */
export type Expiry = "aborted" | "timedOut";

/** Watches a signal and a time until it is disposed of or one of them ends the wait. */
export interface Deadline extends Disposable {
  /** Resolves with what came first; stays pending if neither comes before disposal. */
  readonly expired: Promise<Expiry>;
}

/**
 * Waits for the abort of a signal or the end of a time, whichever comes first. `onExpiry` is called
 * once and synchronously, before this returns if the signal is already aborted; never after
 * disposal.
 */
export function firstOf(
  { signal, timeoutMs }: WaitBounds,
  onExpiry: (expiry: Expiry) => void = () => {},
): Deadline {
  const { promise: expired, resolve } = Promise.withResolvers<Expiry>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dispose = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  const expire = (expiry: Expiry) => {
    dispose();
    resolve(expiry);
    onExpiry(expiry);
  };
  const onAbort = () => expire("aborted");
  if (signal?.aborted) {
    onAbort();
  } else {
    signal?.addEventListener("abort", onAbort);
    if (timeoutMs !== undefined) timer = setTimeout(() => expire("timedOut"), timeoutMs);
  }
  return { expired, [Symbol.dispose]: dispose };
}

/** Whether a promise resolves within a time; its work continues in any case. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  using deadline = firstOf({ timeoutMs });
  return await Promise.race([work.then(() => true), deadline.expired.then(() => false)]);
}

/** Waits for work, or rejects with the signal's reason; the work continues in any case. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _deadline = firstOf({ signal }, () => reject(signal.reason));
  return await Promise.race([aborted, work]);
}

/**
 * Maps items, a bounded number of them at once, and resolves with the results in the order of the
 * items. If an item fails, rejects with the first error, but only once no work is running; a lane
 * whose item failed takes no further item.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce }: { readonly atOnce: number },
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  const lanes = Array.from({ length: Math.min(atOnce, items.length) }, lane);
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
  return results;
}

/** The end of the last work in turn for each key. */
const lastTurns = new Map<string, Promise<void>>();

/**
 * Works when all earlier work of the same key has ended; work of other keys does not wait for it.
 * Rejects with the signal's reason when it is stopped while it waits.
 */
export async function takeTurn<T>(
  key: string,
  work: () => Promise<T>,
  { signal }: { readonly signal: AbortSignal },
): Promise<T> {
  const previous = lastTurns.get(key) ?? Promise.resolve();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const turn = previous.then(() => ended);
  lastTurns.set(key, turn);
  void turn.then(() => lastTurns.get(key) === turn && lastTurns.delete(key));
  try {
    await untilAborted(previous, signal);
    return await work();
  } finally {
    end();
  }
}

/**
 * Keeps what is expensive to start, such as connections and processes, while nobody uses it. What
 * has not been taken again after its time is closed.
 */
export class KeyedPool<Item> {
  readonly #close: (item: Item) => void;
  readonly #most: number;
  /** The one that has been idle longest comes first. */
  readonly #idle = new Map<Item, { key: string; timer?: ReturnType<typeof setTimeout> }>();
  #closed = false;

  /** Keeps as many items as `most` says; one more closes the one that has been idle longest. */
  constructor(close: (item: Item) => void, { most = Infinity }: { readonly most?: number } = {}) {
    this.#close = close;
    this.#most = most;
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

const LATE = new Set<() => Promise<unknown>>();

/**
 * A module of a URL that is imported once it is used, so that a server whose first calls don't need it
 * answers them sooner. Resolves each time with the same; rejects as `import()` does. Its URL is computed,
 * because a literal one is read with the module that imports it; `scripts/compile` finds it by its type.
 *
 * @example
 * ```ts ignore
 * const driver = lateModule<typeof import("./driver.ts")>(import.meta.resolve("./driver.ts"));
 * const { connect } = await driver();
 * ```
 */
export function lateModule<Module>(url: string): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  const use = () => {
    LATE.delete(use);
    return loading ??= import(url);
  };
  LATE.add(use);
  return use;
}

/**
 * Imports all late modules that are known and were not used, also those of late modules. A server does
 * so before many clients may connect: Deno 2.9 ends if it loads a module while no file descriptor is
 * free. Rejects if one can't be imported.
 */
export async function loadLateModules(): Promise<void> {
  for (const use of LATE) await use();
}
