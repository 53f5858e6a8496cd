/** Draws choices from a tape of numbers; past its end every choice is the first. */
export class Draw {
  readonly #tape: ArrayLike<number>;
  #position = 0;

  /** Starts at the beginning of the tape. */
  constructor(tape: ArrayLike<number>) {
    this.#tape = tape;
  }

  /** A whole number, both limits included. */
  int(min: number, max: number): number {
    return min + (this.#tape[this.#position++] ?? 0) % (max - min + 1);
  }

  /** Whether something happens that does so `times` of `of` times. */
  chance(times: number, of: number): boolean {
    return this.int(1, of) > of - times;
  }

  /** A random element of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.int(0, list.length - 1)];
    if (picked === undefined) throw new RangeError(`Cannot pick from "${list}": it is empty`);
    return picked;
  }

  /** Some of the list in its order, at least the given number if there are that many. */
  some<T>(list: readonly T[], atLeast = 0): T[] {
    return list.filter((_, index) => index < atLeast || this.chance(1, 2));
  }

  /** The list in another order. */
  shuffled<T>(list: readonly T[]): T[] {
    const keyed = list.map((item) => ({ item, key: this.int(0, 9_999) }));
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
