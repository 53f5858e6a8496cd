import { jsonTextLength } from "../../shared/json.ts";

/** The characters that JSON adds to a name and a value: quotes, a colon and a comma. */
const BYTES_BETWEEN = 6;

/** Keeps the rows that fit into both bounds, up to the first that does not. */
export class RowBudget<Row> {
  readonly rows: Row[] = [];
  /** Approximate size of the rows so far as JSON text, in characters. */
  bytes = 0;
  /** Whether a row did not fit. */
  full = false;
  /** Size of the row that was too large for the remaining budget; 0 if there was none. */
  refusedBytes = 0;
  readonly #maxRows: number;
  readonly #maxBytes: number;

  constructor({ maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number }) {
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  /** How many more rows are accepted. */
  get left(): number {
    return this.#maxRows - this.rows.length;
  }

  /** Takes a row of the given size; returns `false` if it does not fit. */
  take(row: Row, bytes: number): boolean {
    if (this.full || !this.#hasRoom(bytes)) return false;
    this.rows.push(row);
    this.bytes += bytes;
    return true;
  }

  /**
   * Whether a row may fit of which only the size in UTF-8 is known: a UTF-16 code unit takes at
   * most 3 bytes. One that can't fit is rejected.
   */
  mayTake(bytes: number): boolean {
    return !this.full && this.#hasRoom(Math.ceil(bytes / 3), bytes);
  }

  #hasRoom(bytes: number, size = bytes): boolean {
    this.full = this.left <= 0;
    if (this.full || this.bytes + bytes <= this.#maxBytes) return !this.full;
    this.full = true;
    this.refusedBytes = size;
    return false;
  }
}

/** The characters that column names add to each row as JSON text. */
export function bytesOfNames(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + jsonTextLength(name) + BYTES_BETWEEN, 2);
}

/**
 * Makes column names unique keys of one object: a repeated name gets `_2`, `_3` or the next free
 * number.
 */
export function uniqueNames(names: readonly string[]): string[] {
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; taken.has(unique) || (unique !== name && given.has(unique)); count++) {
      unique = `${name}_${count}`;
    }
    taken.add(unique);
    return unique;
  });
}
