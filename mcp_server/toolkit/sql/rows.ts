import { jsonTextLength } from "../../domain/json.ts";

/** What JSON adds to a name and a value: quotes, a colon and a comma. */
const BYTES_BETWEEN = 6;

/** Keeps the rows that fit into both bounds, and nothing of those after the first that does not. */
export class RowBudget<Row> {
  readonly rows: Row[] = [];
  /** Characters of the rows so far as JSON text, about. */
  bytes = 0;
  /** A row did not fit. */
  full = false;
  /** Size of the row that was too large for what was left; 0 if there was none. */
  refusedBytes = 0;
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

  /** Takes a row of the size given; returns `false` if it does not fit. */
  take(row: Row, bytes: number): boolean {
    if (this.full || !this.#hasRoom(bytes)) return false;
    this.rows.push(row);
    this.bytes += bytes;
    return true;
  }

  /**
   * Whether a row may fit whose size is known as UTF-8 only: a character has 3 bytes at most. One
   * that can't is rejected.
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

/** Makes column names the keys of one object: a repeated name gets `_2`, `_3`, whichever is free. */
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
