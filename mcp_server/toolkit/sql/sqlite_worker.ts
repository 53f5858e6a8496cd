/**
 * The program of a process that has one SQLite file open, see sqlite_session.ts: SQLite can't be
 * stopped during a statement, but a process can, at any point and without harm to the file.
 *
 * @module
 */
import { serveRequests } from "../../shared/worker_process.ts";
import { NOTHING, type QueryOutcome, type SqlQuery } from "./sql_session.ts";
import { type AnswerBounds, SqliteDatabase, type SqliteOptions } from "./sqlite_database.ts";
import { loadSqlite, toSqliteError } from "./sqlite_values.ts";

/** A request of the server to the process that has an SQLite file open. */
export type SqliteRequest =
  | { readonly open: SqliteOptions }
  | { readonly run: SqlQuery; readonly bounds: AnswerBounds }
  | { readonly reset: true };

/** A response of that process, in the order of the requests. */
export interface SqliteReply {
  readonly outcome: QueryOutcome;
  /** Whether a transaction is open. */
  readonly inTransaction: boolean;
  /** Whether the batch has only read so far, so that a reset changes nothing that others see. */
  readonly onlyRead: boolean;
}

const sqlite = await loadSqlite();
let database: SqliteDatabase | undefined;
await serveRequests((request: SqliteRequest): SqliteReply => {
  const outcome = carryOut(request);
  const { inTransaction = false, onlyRead = true } = database ?? {};
  return { outcome, inTransaction, onlyRead };
});

function carryOut(request: SqliteRequest): QueryOutcome {
  try {
    if ("open" in request) database = new SqliteDatabase(sqlite, request.open);
    else if ("reset" in request) database?.reset();
    else return database?.run(request.run, request.bounds) ?? NOTHING;
    return NOTHING;
  } catch (error) {
    return toSqliteError(error);
  }
}
