/** The median of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/**
 * The median time of each function in milliseconds; they run in turns, so all see the same load.
 */
export async function inTurns(
  works: readonly (() => Promise<number | void>)[],
  rounds: number,
): Promise<number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, work] of works.entries()) {
      const startedAt = performance.now();
      const value = await work();
      times[at]?.push(value ?? performance.now() - startedAt);
    }
  }
  return times.map(median);
}
