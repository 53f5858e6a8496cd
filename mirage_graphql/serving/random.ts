/** Numbers that look random and are the same each time. */
export interface Random {
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]]): T;
  pick<T>(values: readonly T[]): T | undefined;
}

/** Makes the numbers that belong to a text: a field of one record, say (FNV-1a, mulberry32). */
export function createRandom(text: string): Random {
  let state = hash(text);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  function pick<T>(values: readonly [T, ...T[]]): T;
  function pick<T>(values: readonly T[]): T | undefined;
  function pick<T>(values: readonly T[]): T | undefined {
    return values[integer(0, values.length - 1)];
  }
  return { integer, pick };
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return state;
}
