import { exactBase64 } from "../../shared/bytes.ts";
import { jsonTextLength } from "../../shared/json.ts";
import { QueryRefusal } from "./sql_session.ts";

/**
 * Checks that each number is the one that was sent: JSON readers round whole numbers from 2^53 on,
 * also those within arrays and objects. Throws a `QueryRefusal` if one is not.
 */
export function requireExactNumbers(params: readonly unknown[]): void {
  for (const [at, param] of params.entries()) {
    const rounded = findRounded(param);
    if (rounded === undefined) continue;
    throw new QueryRefusal(
      "INVALID_NUMBER",
      `Cannot send parameter ${at + 1}: a number of it was read as ${rounded}, ` +
        "and whole numbers from 2^53 on are not exact in JSON; send it as text",
    );
  }
}

/** Reads without recursion, because a request may be nested deeper than the stack. */
function findRounded(param: unknown): number | undefined {
  const left = [param];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return value;
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value;
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value)) left.push(inner);
    }
  }
  return undefined;
}

/** The only key of an object that stands for bytes. */
const BYTES = "base64";

/**
 * The bytes of a parameter of the form `{ "base64": "AP8=" }`; `undefined` if it has another form.
 * Throws a `QueryRefusal` if the text is not base64 (RFC 4648, section 4).
 */
export function bytesOfParam(value: unknown): Uint8Array | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const [[key, text] = [], ...others] = Object.entries(value);
  if (key !== BYTES || typeof text !== "string" || others.length > 0) return undefined;
  const bytes = exactBase64(text);
  if (bytes !== undefined) return bytes;
  throw new QueryRefusal(
    "INVALID_BASE64",
    'Cannot send "base64" as bytes: it is not base64 of the standard alphabet, padded and on one ' +
      "line; JSON of this form is sent as its text",
  );
}

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
