import { jsonTextLength, type JsonValue } from "../../shared/json.ts";
import {
  bytesOfParam,
  cutText,
  failed,
  type QueryError,
  QueryRefusal,
  requireWholeText,
} from "./sql_session.ts";

/** What SQLite stores; integers come as `bigint` so that none is rounded. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Reads a value without loss: bytes as base64, and numbers that JSON can't represent as text. */
export function fromSqlite(value: SqliteValue): JsonValue {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? value.toBase64() : value;
}

/** Writes the parameters of a statement; throws a `QueryRefusal` if SQLite can't carry one. */
export function toSqliteParams(values: readonly unknown[]): SqliteValue[] {
  return values.map((value, at) => {
    const param = toSqlite(value);
    return typeof param === "string" ? requireWholeText(param, `parameter ${at + 1}`) : param;
  });
}

/** Writes a parameter: whole numbers as INTEGER, bytes as BLOB, arrays and objects as JSON text. */
function toSqlite(value: unknown): SqliteValue {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value !== "number") return bytesOfParam(value) ?? JSON.stringify(value);
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** Approximate size of a value in the answer. */
export function sizeOfSqlite(value: SqliteValue): number {
  if (typeof value === "string") return jsonTextLength(value);
  if (value instanceof Uint8Array) return Math.ceil(value.length / 3) * 4;
  return value === null ? 4 : String(value).length;
}

/** Names of result codes, by their number (sqlite.org, "Result and Error Codes"). */
const NAMES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  2: "SQLITE_INTERNAL",
  3: "SQLITE_PERM",
  4: "SQLITE_ABORT",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  9: "SQLITE_INTERRUPT",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  12: "SQLITE_NOTFOUND",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  17: "SQLITE_SCHEMA",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  23: "SQLITE_AUTH",
  25: "SQLITE_RANGE",
  26: "SQLITE_NOTADB",
  275: "SQLITE_CONSTRAINT_CHECK",
  787: "SQLITE_CONSTRAINT_FOREIGNKEY",
  1299: "SQLITE_CONSTRAINT_NOTNULL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  1811: "SQLITE_CONSTRAINT_TRIGGER",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
};

/** Reads what `node:sqlite` threw; it has no number if a file can't be opened. */
export function toSqliteError(error: unknown): { ok: false; error: QueryError } {
  const message = cutText(error instanceof Error ? error.message : String(error));
  if (error instanceof QueryRefusal) return failed(error.code, message);
  if (/unable to open/.test(message)) return failed("SQLITE_CANTOPEN", message);
  const number: unknown = error instanceof Error ? Reflect.get(error, "errcode") : undefined;
  const code = typeof number === "number" ? NAMES[number] ?? NAMES[number & 0xff] : undefined;
  return failed(code ?? "SQLITE_ERROR", message);
}

/** The part of `node:sqlite` that is used; Deno's own types lack some of it. */
export interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options: { readOnly: boolean; timeout: number },
  ) => SqliteFile;
}

/** An open file. */
export interface SqliteFile {
  readonly isTransaction: boolean;
  readonly limits: { variableNumber: number };
  prepare(text: string): SqliteStatement;
  exec(text: string): void;
  close(): void;
  /** Prevents SQL from writing directly to the schema and to the pages of the file. */
  enableDefensive(active: boolean): void;
  /** Sets a function that permits or denies each action of a statement while it is compiled. */
  setAuthorizer(
    decide: (action: number, name: string | null, value: string | null) => number,
  ): void;
}

/** A compiled statement. */
export interface SqliteStatement {
  /** The part of the text that was compiled: the first statement. */
  readonly sourceSQL: string;
  setReadBigInts(active: boolean): void;
  setReturnArrays(active: boolean): void;
  columns(): { readonly name: string | null }[];
  /**
   * In Deno 2.9.6 an error after the start only ends the iteration, as if there were no more rows.
   */
  iterate(...values: SqliteValue[]): Iterable<SqliteValue[]>;
  all(...values: SqliteValue[]): SqliteValue[][];
  run(...values: SqliteValue[]): unknown;
}

/** Codes of the authorizer (sqlite.org, "Authorizer Action Codes" and "Return Codes"). */
export const AUTHORIZER = Object.freeze({
  OK: 0,
  DENY: 1,
  DELETE: 9,
  INSERT: 18,
  PRAGMA: 19,
  READ: 20,
  SELECT: 21,
  UPDATE: 23,
  ATTACH: 24,
  FUNCTION: 31,
  RECURSIVE: 33,
});

/** Loads `node:sqlite`; the name is not a literal, so that Deno's narrower types don't apply. */
export async function loadSqlite(): Promise<SqliteModule> {
  const name: string = "node:sqlite";
  return await import(name);
}

/** The first value of the row after the last one; bytes as hexadecimal text never look like it. */
const END = "end";

/**
 * Creates a query that returns the same rows in a form that `node:sqlite` reads completely, because
 * it cuts text at a NUL and changes what is not UTF-8. Text is returned as its bytes, and bytes as
 * hexadecimal text. One more row follows, because an error ends an iteration like the last row.
 * The limits keep SQLite from merging the parts, which would compute a column several times and
 * lose the order of the rows (sqlite.org, "The SQLite Query Optimizer Overview", section 11).
 */
export function toWholeTextQuery(query: string, columns: number): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const values = names.map((name) =>
    `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'blob' THEN hex(${name}) ` +
    `ELSE ${name} END`
  );
  const end = names.map((_, at) => at === 0 ? `'${END}'` : "NULL");
  const name = unusedName(query);
  return `WITH ${name}(${names}) AS (${query.replace(/;\s*$/, "")}\n) ` +
    `SELECT * FROM (SELECT ${values} FROM (SELECT * FROM ${name} LIMIT -1) LIMIT -1) ` +
    `UNION ALL SELECT ${end}`;
}

/** A name that the query does not contain: a table of the same name would mean the query itself. */
function unusedName(query: string): string {
  const text = query.toLowerCase();
  let name = "query";
  for (let at = 1; text.includes(name); at++) name = `query${at}`;
  return name;
}

/** Whether a row of such a query is the one after the last. */
export function isEnd([first]: readonly SqliteValue[]): boolean {
  return first === END;
}

/** Reads the values of such a query. */
export class WholeTextReader {
  readonly #decoder: TextDecoder;

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding.toLowerCase(), { fatal: true, ignoreBOM: true });
  }

  /**
   * Returns a value as SQLite stores it; throws a `QueryRefusal` if it is text that is not Unicode.
   */
  read(value: SqliteValue): SqliteValue {
    if (typeof value === "string") return Uint8Array.fromHex(value);
    return value instanceof Uint8Array ? this.#decode(value) : value;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      const { encoding } = this.#decoder;
      throw new QueryRefusal(
        "INVALID_TEXT",
        `Cannot return a text: it is not ${encoding.toUpperCase()}; hex(column) reads its bytes`,
      );
    }
  }
}
