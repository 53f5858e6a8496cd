import { exactBase64, jsonTextLength, type JsonValue, withoutUnset } from "../../shared/json.ts";

/** Why a query failed, as the engine reports it. */
export type QueryError = {
  /** SQLSTATE, or the name of SQLite's code or the operating system's error. */
  code: string;
  /** The engine's own message. */
  message: string;
  /** The engine's details. */
  detail?: string;
  /** The engine's hint. */
  hint?: string;
  /** The position of the error in the query, in characters from 1. */
  position?: number;
};

/** What the engine reported without failing. */
export type QueryNotice = {
  /** `NOTICE`, `WARNING`, or another severity of the engine. */
  severity: string;
  /** SQLSTATE. */
  code: string;
  /** The engine's own message. */
  message: string;
  /** The engine's details. */
  detail?: string;
  /** The engine's hint. */
  hint?: string;
};

/** One statement and the values of its placeholders. */
export interface SqlQuery {
  readonly text: string;
  /** JSON values. */
  readonly params: readonly unknown[];
}

/** How rows are returned: with a name for each value, or below the names of all rows. */
export type RowsAs = "objects" | "arrays";

/** What bounds one query. */
export interface QueryBounds {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** What each row has to name its values, for the size of the answer. */
  readonly rowsAs: RowsAs;
  /** The time after which the engine stops the statement. */
  readonly timeoutMs: number;
  /** Stops the statement in the engine. */
  readonly signal: AbortSignal;
}

/** The result of a query. */
export type QueryOutcome =
  | {
    readonly ok: true;
    /** The names of the columns, as the engine gives them; none for a statement without rows. */
    readonly columns: readonly string[];
    readonly rows: readonly JsonValue[][];
    /** Rows affected, otherwise rows returned. */
    readonly rowCount: number;
    /** There were more rows than the bounds allow. */
    readonly truncated: boolean;
    /** Approximate size of the rows. */
    readonly bytes: number;
    /** Approximate size of the first row that was too large for the bounds; 0 if there was none. */
    readonly refusedBytes: number;
    readonly notices?: readonly QueryNotice[];
  }
  | {
    readonly ok: false;
    readonly error: QueryError;
    /** Nobody knows whether it took effect: the engine was stopped, or lost, meanwhile. */
    readonly inDoubt?: boolean;
    readonly notices?: readonly QueryNotice[];
  };

/** The outcome of what has neither rows nor changes. */
export const NOTHING: QueryOutcome = Object.freeze({
  ok: true,
  columns: [],
  rows: [],
  rowCount: 0,
  truncated: false,
  bytes: 0,
  refusedBytes: 0,
});

/** A connection to a database, which serves one batch after another. */
export interface SqlSession {
  /** `false` once it must not serve another batch. */
  readonly usable: boolean;
  /** Prepares it for a batch; returns `false` if the connection is dead. */
  begin(options: BatchOptions): Promise<boolean>;
  /** Runs one statement; never rejects. */
  run(query: SqlQuery, bounds: QueryBounds): Promise<QueryOutcome>;
  /**
   * Discards everything that the batch left behind; returns whether a transaction was open, or was
   * rolled back although no query asked for it. What no answer depends on may still go on, and the
   * next batch waits for it.
   */
  reset(): Promise<{ rolledBack: boolean }>;
  /** Closes it, even during a statement. */
  close(): Promise<void>;
}

/** What applies to all queries of a batch. */
export interface BatchOptions {
  readonly readOnly: boolean;
  readonly timeoutMs: number;
}

/** How a session is opened. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Called once when the connection breaks. */
  readonly onLost: (why: string) => void;
}

/** A failed query. */
export function failed(code: string, message: string): { ok: false; error: QueryError } {
  return { ok: false, error: { code, message } };
}

/** SQLSTATE "connection failure" (PostgreSQL manual, appendix A). */
const CONNECTION_LOST = "08006";

/** A query whose connection was lost, before it was sent or after that, and why, if that is known. */
export function connectionLost(
  { sent, why }: { readonly sent: boolean; readonly why?: string },
): { ok: false; error: QueryError; inDoubt: boolean } {
  const reason = why === undefined ? "" : ` (${why})`;
  const state = `the connection to the database was lost${reason}`;
  const message = sent
    ? `Cannot finish the query: ${state}; it may have taken effect, check before you try again`
    : `Cannot run the query: ${state}; try again`;
  return { ...failed(CONNECTION_LOST, message), inDoubt: sent };
}

/** The longest text of an error: an engine quotes its input, however long that is. */
const TEXT_LENGTH = 2_048;

/** A query that can't be sent or answered without loss. */
export class QueryRefusal extends Error {
  override readonly name = "QueryRefusal";
  /** The code of the query's error. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns a text; throws a `QueryRefusal` if it has half a surrogate pair, which UTF-8 can't hold. */
export function requireWholeText<Text extends string | null>(text: Text, what: string): Text {
  if (text === null || text.isWellFormed()) return text;
  throw new QueryRefusal("INVALID_TEXT", `Cannot send ${what}: it has half a surrogate pair`);
}

/** Cuts a text of an engine that is too long. */
export function cutText(text: string, most: number = TEXT_LENGTH): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}...` : text;
}

/**
 * Reads what an engine or a socket reported. Takes those of PostgreSQL's fields that help the
 * caller; an error without a code gets `fallback`.
 */
export function toQueryError(error: unknown, fallback: string = CONNECTION_LOST): QueryError {
  // A name with several addresses fails with one error for each.
  const cause = error instanceof AggregateError && error.errors.length > 0
    ? error.errors[0]
    : error;
  const read = (key: string): string | undefined => {
    if (typeof cause !== "object" || cause === null) return undefined;
    const value: unknown = Reflect.get(cause, key);
    return typeof value === "string" && value !== "" ? cutText(value) : undefined;
  };
  const position = Number(read("position"));
  return withoutUnset({
    code: read("code") ?? fallback,
    message: read("message") ?? cutText(String(cause)),
    detail: read("detail"),
    hint: read("hint"),
    position: position > 0 ? position : undefined,
  });
}

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

/** The characters that JSON adds to a text: quotes and a comma. */
const BYTES_AROUND = 3;

/** Keeps the rows that fit into both bounds, up to the first that does not. */
export class RowBudget<Row> {
  readonly rows: Row[] = [];
  /** Approximate size of the rows so far as JSON text, in characters. */
  bytes = 0;
  /** Whether a row did not fit. */
  full = false;
  /** Whether the names of columns did not fit. */
  nameless = false;
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

  /** Counts what comes before the rows; none is taken if it does not fit. */
  takeHeading(bytes: number): void {
    this.nameless = this.full = this.bytes + bytes > this.#maxBytes;
    if (this.full) this.refusedBytes = bytes;
    else this.bytes += bytes;
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

/** The characters of JSON that the names of columns add, once and for each row. */
export function bytesOfNames(
  names: readonly string[],
  rowsAs: RowsAs,
): { readonly heading: number; readonly perRow: number } {
  const between = names.length * BYTES_AROUND;
  const all = names.reduce((sum, name) => sum + jsonTextLength(name), 2 + between);
  return rowsAs === "objects"
    ? { heading: 0, perRow: all + between }
    : { heading: all, perRow: 2 + between };
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
