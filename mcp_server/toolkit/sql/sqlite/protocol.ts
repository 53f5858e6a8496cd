import type { AnswerBounds, SqlitePlace } from "./database.ts";
import type { QueryError, QueryOutcome, SqlQuery } from "../sql_session.ts";

/** A flag of a compiled server that makes it host one SQLite file and nothing else. */
export const SQLITE_HOST_FLAG = "--sqlite-host";

/** What the server asks of the process that holds an SQLite file; one line of JSON each. */
export type SqliteRequest =
  | { readonly open: SqlitePlace }
  | { readonly run: SqlQuery; readonly bounds: AnswerBounds }
  | { readonly reset: true };

/** What that process answers, in the order of the requests. */
export interface SqliteReply {
  readonly outcome: QueryOutcome | { readonly ok: false; readonly error: QueryError };
  /** A transaction is open. */
  readonly inTransaction: boolean;
}
