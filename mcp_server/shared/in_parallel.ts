/** How many items are processed at once. */
export interface ParallelOptions {
  /** The most items that are processed at once. */
  readonly atOnce: number;
}

/**
 * Maps items, a bounded number of them at once, and resolves with the results in the order of the
 * items. If an item fails, rejects with the first error, but only once no work is running; a lane
 * whose item failed takes no further item.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce }: ParallelOptions,
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
