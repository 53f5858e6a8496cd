/** Generates random numbers, the same ones for the same seed. */
export interface Random {
  /** Returns an integer from 0 to below the bound. */
  below(bound: number): number;
  /** Returns a random element of a list that is not empty. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Creates another source from the next number, so that its use does not change this one. */
  fork(): Random;
}

/** Creates a source of numbers from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    fork: () => createRandom(below(2 ** 32)),
  };
}

/** Returns a random seed. */
export function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
