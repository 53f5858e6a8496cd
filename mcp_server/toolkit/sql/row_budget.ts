/** What JSON adds to a name and a value: quotes, a colon and a comma. */
const BYTES_BETWEEN = 6;

/** Keeps the rows that fit into both bounds, and nothing of those after the first that does not. */
export class RowBudget<Row> {
  readonly rows: Row[] = [];
  /** Size of the rows so far, about. */
  bytes = 0;
  /** A row did not fit. */
  full = false;
  readonly #maxRows: number;
  readonly #maxBytes: number;

  constructor({ maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number }) {
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  /** How many rows may still come. */
  get left(): number {
    return this.#maxRows - this.rows.length;
  }

  /** Takes a row of the size given; answers `false` where it does not fit. */
  take(row: Row, bytes: number): boolean {
    this.full ||= this.left <= 0 || this.bytes + bytes > this.#maxBytes;
    if (this.full) return false;
    this.rows.push(row);
    this.bytes += bytes;
    return true;
  }
}

/** The size that column names add to each row, about. */
export function bytesOfNames(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length + BYTES_BETWEEN, 2);
}
