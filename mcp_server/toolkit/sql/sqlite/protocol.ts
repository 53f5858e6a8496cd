import type { QueryError, QueryOutcome, SqlQuery } from "../sql_session.ts";
import type { SqliteOptions } from "./database.ts";
import type { AnswerBounds } from "./read_rows.ts";

/** The flag that makes a server the process of one SQLite file, and nothing else. */
export const SQLITE_WORKER_FLAG = "--sqlite-worker";

/** A request of the server to the process that has an SQLite file open; one line of JSON each. */
export type SqliteRequest =
  | { readonly open: SqliteOptions }
  | { readonly run: SqlQuery; readonly bounds: AnswerBounds }
  | { readonly reset: true };

/** A response of that process, in the order of the requests. */
export interface SqliteReply {
  readonly outcome: QueryOutcome | { readonly ok: false; readonly error: QueryError };
  /** Whether a transaction is open. */
  readonly inTransaction: boolean;
  /** Whether the batch has only read so far, so that a reset changes nothing that others see. */
  readonly onlyRead: boolean;
}
