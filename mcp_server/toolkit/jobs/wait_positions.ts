/** How much of each stream of a job was read, in bytes. */
export interface Position {
  /** Bytes of stdout. */
  readonly stdout: number;
  /** Bytes of stderr. */
  readonly stderr: number;
}

const START: Position = Object.freeze({ stdout: 0, stderr: 0 });
/** Of how many jobs the position is remembered: of those that were read last. */
const MOST = 10_000;

/** Remembers how far the output of each job was read; readers of one job take turns. */
export class WaitPositions {
  readonly #most: number;
  readonly #positions = new Map<string, Promise<Position>>();

  /** Takes of how many jobs the position is remembered. */
  constructor(most: number = MOST) {
    this.#most = most;
  }

  /** Reads from the position of a job and moves it; it stays where it is if the reading fails. */
  async advance<T extends { readonly next: Position }>(
    id: string,
    read: (from: Position) => Promise<T>,
  ): Promise<T> {
    const before = this.#positions.get(id) ?? Promise.resolve(START);
    const reading = before.then(read);
    this.#positions.delete(id);
    this.#positions.set(id, reading.then(({ next }) => next, () => before));
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > this.#most && oldest !== undefined) this.#positions.delete(oldest);
    return await reading;
  }
}
