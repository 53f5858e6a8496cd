import { jsonTextLength, type JsonValue } from "../../../shared/json.ts";
import { bytesOfParam } from "../params.ts";
import {
  cutText,
  failed,
  type QueryError,
  QueryRefusal,
  requireWholeText,
} from "../sql_session.ts";

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
