import { cutText, QueryRefusal } from "../query_error.ts";
import { failed, type QueryError } from "../sql_session.ts";

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

/** Reads what `node:sqlite` threw; it tells no number where a file can't be opened. */
export function toSqliteError(error: unknown): { ok: false; error: QueryError } {
  const message = cutText(error instanceof Error ? error.message : String(error));
  if (error instanceof QueryRefusal) return failed(error.code, message);
  if (/unable to open/.test(message)) return failed("SQLITE_CANTOPEN", message);
  const number: unknown = error instanceof Error ? Reflect.get(error, "errcode") : undefined;
  const code = typeof number === "number" ? NAMES[number] ?? NAMES[number & 0xff] : undefined;
  return failed(code ?? "SQLITE_ERROR", message);
}
