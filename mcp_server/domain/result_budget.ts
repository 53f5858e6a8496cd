/** The size of one part's keys, and of the line that says how much of its output is left out. */
const KEYS = 256;
/** What each part may take in any case, however much earlier ones took. */
const SHARE = 8 * 1024;

/**
 * Divides the maximum size of a call's answer, as JSON text, among its parts, such as the results
 * of its commands. A part may take what is left, minus a share for each part after it.
 */
export class ResultBudget {
  #left: number;
  #parts: number;
  readonly #share: number;

  /** Takes the size of the whole answer and the number of its parts. */
  constructor(size: number, parts: number) {
    this.#left = size - KEYS * parts;
    this.#parts = parts;
    this.#share = Math.max(0, Math.min(SHARE, Math.floor(this.#left / parts)));
  }

  /** What the outputs of the next part may take, as JSON text. */
  get next(): number {
    return Math.max(0, this.#left - this.#share * (this.#parts - 1));
  }

  /** Counts a finished part. */
  spend(size: number): void {
    this.#left -= size;
    this.#parts--;
  }
}
