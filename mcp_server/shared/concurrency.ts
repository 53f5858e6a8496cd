import { untilAborted } from "./deadline.ts";

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
