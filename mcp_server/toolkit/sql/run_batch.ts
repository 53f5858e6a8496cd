import {
  type JsonObject,
  jsonTextLength,
  type JsonValue,
  withoutUnset,
} from "../../shared/json.ts";
import type { DatabaseTarget, FoundDatabase } from "./database_target.ts";
import {
  failed,
  NOTHING,
  type QueryError,
  type QueryNotice,
  type QueryOutcome,
  requireExactNumbers,
  requireWholeText,
  type RowsAs,
  type SqlQuery,
  type SqlSession,
  toQueryError,
  uniqueNames,
} from "./sql_session.ts";
import { transactionCommand } from "./statement_text.ts";
import { type Connector, withSession } from "./session_pool.ts";

/** Queries for one connection, in order. */
export interface SqlBatch {
  /** Name of a configured database. @default {the server's own} */
  readonly database?: string | undefined;
  /** Creates an SQLite file that does not exist; the default one is created anyway. @default {true} */
  readonly create?: boolean | undefined;
  /** One statement each. */
  readonly queries: readonly string[];
  /** The values of the placeholders of each query. */
  readonly params?: readonly (readonly unknown[])[] | undefined;
  /** The engine rejects every write. */
  readonly readOnly?: boolean | undefined;
  /** Everything is committed at the end, or nothing: the first error stops the batch. */
  readonly transaction?: boolean | undefined;
}

/** A row: names and values, or values alone. */
export type SqlRow = JsonObject | JsonValue[];

/** The result of a batch. */
export type SqlBatchResult<Row extends SqlRow = JsonObject> = {
  /** The name of its database. */
  database: string;
  /** One for each query. */
  results: SqlResult<Row>[];
  /** A transaction was rolled back although no query asked for it, such as one left open. */
  rolledBack?: true;
  /** Why the batch's own transaction could not begin or be committed. */
  error?: QueryError;
};

/** What a batch is run with. */
export interface BatchCall extends CallBounds, Connector {
  readonly found: FoundDatabase;
  /** Adds what helps a caller that has no session, such as the names that there are. */
  readonly explain: (error: QueryError) => Promise<QueryError>;
}

/** A batch for which it is decided whether it may write. */
interface DecidedBatch extends SqlBatch {
  readonly readOnly: boolean;
}

/** Runs a batch on one connection; if there is none, each query reports why. */
export function runBatch(
  batch: DecidedBatch,
  call: BatchCall & { readonly rowsAs: "objects" },
): Promise<SqlBatchResult>;
export function runBatch(batch: DecidedBatch, call: BatchCall): Promise<SqlBatchResult<SqlRow>>;
export async function runBatch(
  batch: DecidedBatch,
  call: BatchCall,
): Promise<SqlBatchResult<SqlRow>> {
  const { found, explain } = call;
  if (!found.ok) return refuse(batch, batch.database ?? "", await explain(found.error));
  const { target } = found;
  const run = { ...batch, engine: target.engine, bounds: call };
  const used = await withSession(target, { ...call, readOnly: batch.readOnly }, (session) => {
    return (batch.transaction ? runTransaction : runQueries)({ ...run, session });
  });
  if ("error" in used) return refuse(batch, target.name, await explain(used.error));
  const { value: { inDoubt, undone, ...ran }, rolledBack } = used;
  const reported = undone ?? (rolledBack && !inDoubt && !hasOwnTransactions(run));
  return withoutUnset({ database: target.name, ...ran, rolledBack: reported || undefined });
}

function refuse(
  { queries, transaction = false }: SqlBatch,
  database: string,
  error: QueryError,
): SqlBatchResult<SqlRow> {
  if (!transaction) return { database, results: queries.map((query) => toFailure(query, error)) };
  return { database, results: stoppedAt(0, queries, error), rolledBack: true };
}

/** In PostgreSQL each query of a read-only batch runs in its own transaction. */
function hasOwnTransactions({ readOnly, engine }: Pick<BatchRun, "readOnly" | "engine">): boolean {
  return readOnly && engine === "postgres";
}

/** The result of one query. */
export type SqlResult<Row extends SqlRow = JsonObject> = {
  /** The query's text, as it was sent. */
  query: string;
  /** Whether the engine executed it. */
  success: boolean;
  /** The names of the columns of rows that are arrays. */
  columns?: string[];
  /** Column names to values, or values alone. */
  rows: Row[];
  /** Rows affected, otherwise rows returned. */
  rowCount: number;
  /** There were more rows than returned. */
  truncated?: true;
  /** Why it failed. */
  error?: QueryError;
  /** It was not run, because its transaction had failed. */
  skipped?: true;
  /** What PostgreSQL reported without failing; the first 20. */
  notices?: QueryNotice[];
};

/** What bounds the queries of a call. */
interface CallBounds {
  readonly timeoutMs: number;
  readonly maxRows: number;
  readonly rowsAs: RowsAs;
  /** What is left for the rows of the whole call. */
  readonly budget: { bytes: number };
  /** What there was for the rows of the whole call. @default {what the rows of one query may take} */
  readonly mostBytes?: number;
  readonly signal: AbortSignal;
}

/** A batch that has a session. */
interface BatchRun extends DecidedBatch {
  readonly engine: DatabaseTarget["engine"];
  readonly session: SqlSession;
  readonly bounds: CallBounds;
}

/** What the queries of a batch did. */
interface BatchOutcome {
  readonly results: SqlResult<SqlRow>[];
  /** Why the batch's own transaction could not begin or be committed. */
  readonly error?: QueryError;
  /** Whether a transaction was committed is not known. */
  readonly inDoubt: boolean;
  /** Nothing of the batch's own transaction was kept. */
  readonly undone?: boolean;
}

/** What is kept of the rows of one query. */
const QUERY_BYTES = 1_048_576;

/** Runs each query; those of a transaction only up to the first that fails. */
async function runQueries(
  { queries, params = [], transaction, engine, session, bounds }: BatchRun,
): Promise<BatchOutcome> {
  const results: SqlResult<SqlRow>[] = [];
  let inDoubt = false;
  for (const [at, text] of queries.entries()) {
    if (bounds.signal.aborted) break;
    const outcome = await runQuery(session, { text, params: params[at] ?? [] }, bounds);
    const commits = transactionCommand(text, engine) === "commit";
    if (!outcome.ok && outcome.inDoubt && commits) inDoubt = true;
    results.push(toResult(text, commits ? withDoubt(outcome) : outcome, bounds.rowsAs));
    if (transaction && !outcome.ok) break;
  }
  return { results, inDoubt };
}

/**
 * Runs the queries in a transaction of their own, up to the first that fails. SQLite can't wait for a
 * lock that a transaction asks for after it has read, so one that may write asks for it first
 * (sqlite.org, "Transaction", 2.2).
 */
async function runTransaction(run: BatchRun): Promise<BatchOutcome> {
  const { queries, engine, session, bounds, readOnly } = run;
  const begin = engine === "sqlite" && !readOnly ? "BEGIN IMMEDIATE" : "BEGIN";
  const undone = { inDoubt: false, undone: true };
  const ends = queries.findIndex((text) => transactionCommand(text, engine) !== undefined);
  if (ends !== -1) return { ...undone, results: stoppedAt(ends, queries, HAS_TRANSACTION) };
  const runOwn = (text: string) =>
    hasOwnTransactions(run) ? NOTHING : runQuery(session, { text, params: [] }, bounds);
  const begun = await runOwn(begin);
  if (!begun.ok) return { ...undone, results: queries.map(skip), error: begun.error };
  const { results } = await runQueries(run);
  const isComplete = results.length === queries.length && results.every(({ success }) => success);
  if (!isComplete) {
    const skipped = queries.slice(results.length).map(skip);
    return { ...undone, results: [...results, ...skipped] };
  }
  const end = withDoubt(await runOwn("COMMIT"));
  if (end.ok) return { results, inDoubt: false };
  const { error, inDoubt = false } = end;
  return { results, error, inDoubt, undone: !inDoubt };
}

const HAS_TRANSACTION: QueryError = {
  code: "TRANSACTION_CONTROL",
  message: "Cannot run the query in a batch with transaction: true, which begins and commits by " +
    "itself: leave the query out",
};

/** A commit that nobody saw end says so. */
function withDoubt(outcome: QueryOutcome): QueryOutcome {
  if (outcome.ok || !outcome.inDoubt) return outcome;
  const { code, message } = outcome.error;
  const error = { code, message: `${message}; check whether the transaction was committed` };
  return { ...outcome, error };
}

/** The results of queries of which one was refused, so that the others are not run. */
function stoppedAt(
  refused: number,
  queries: readonly string[],
  error: QueryError,
): SqlResult<SqlRow>[] {
  return queries.map((query, at) => at === refused ? toFailure(query, error) : skip(query));
}

/** The result of a query that failed. */
function toFailure(query: string, error: QueryError): SqlResult<SqlRow> {
  return { query, success: false, rows: [], rowCount: 0, error };
}

function skip(query: string): SqlResult<SqlRow> {
  return { query, success: false, rows: [], rowCount: 0, skipped: true };
}

async function runQuery(
  session: SqlSession,
  query: SqlQuery,
  { timeoutMs, maxRows, rowsAs, budget, mostBytes = QUERY_BYTES, signal }: CallBounds,
): Promise<QueryOutcome> {
  if (query.text.includes("\0")) {
    return failed("22021", "Cannot run the query: it has a NUL character; remove it");
  }
  try {
    requireWholeText(query.text, "the query");
    requireExactNumbers(query.params);
  } catch (error) {
    return { ok: false, error: toQueryError(error) };
  }
  const maxBytes = Math.min(QUERY_BYTES, budget.bytes);
  const startedAt = performance.now();
  const ran = await session.run(query, { maxRows, maxBytes, rowsAs, timeoutMs, signal });
  const isLate = performance.now() - startedAt >= timeoutMs;
  const outcome = isLate ? withTimeoutHint(ran, timeoutMs) : ran;
  if (outcome.ok) budget.bytes -= outcome.bytes;
  const { notices = [] } = outcome;
  const most = Math.min(QUERY_BYTES, mostBytes);
  const answer = isUnanswerable(outcome, most) ? rowTooLarge(outcome.refusedBytes, most) : outcome;
  return { ...answer, notices: notices.filter((notice) => spend(budget, notice)) };
}

/** What PostgreSQL answers for a statement that it has stopped. */
const QUERY_CANCELED = "57014";

/** Says how a statement can run longer that PostgreSQL has stopped after its time. */
function withTimeoutHint(outcome: QueryOutcome, timeoutMs: number): QueryOutcome {
  if (outcome.ok || outcome.error.code !== QUERY_CANCELED) return outcome;
  const hint = `Stopped after timeoutMs (${timeoutMs}); set a longer one, or use job-start`;
  return { ...outcome, error: { hint, ...outcome.error } };
}

/** Whether a notice fits into what is left for the call. */
function spend(budget: CallBounds["budget"], { message, detail = "", hint = "" }: QueryNotice) {
  const bytes = [message, detail, hint].reduce((sum, text) => sum + jsonTextLength(text), 0);
  if (bytes > budget.bytes) return false;
  budget.bytes -= bytes;
  return true;
}

/** Whether the first row is larger than a query's bound: an answer without it would look empty. */
function isUnanswerable(
  outcome: QueryOutcome,
  most: number,
): outcome is QueryOutcome & { refusedBytes: number } {
  return outcome.ok && outcome.rows.length === 0 && outcome.refusedBytes > most;
}

function rowTooLarge(bytes: number, most: number): QueryOutcome {
  const more = most < QUERY_BYTES ? `, or ${QUERY_BYTES} with maxRows` : "";
  const message =
    `Cannot answer a row of ${bytes} bytes: a query's rows have ${most} at most${more}` +
    ", so select less of it, such as substr(column, 1, 1000); the statement itself was run";
  return failed("ROW_TOO_LARGE", message);
}

function toResult(query: string, outcome: QueryOutcome, rowsAs: RowsAs): SqlResult<SqlRow> {
  const { notices = [] } = outcome;
  const noted = notices.length > 0 ? [...notices] : undefined;
  if (!outcome.ok) return withoutUnset({ ...toFailure(query, outcome.error), notices: noted });
  const { rowCount, truncated } = outcome;
  const cut = truncated || undefined;
  const answer = { query, success: true, ...toRows(outcome, rowsAs), rowCount };
  return withoutUnset({ ...answer, truncated: cut, notices: noted });
}

function toRows(
  { columns, rows }: QueryOutcome & { readonly ok: true },
  rowsAs: RowsAs,
): Pick<SqlResult<SqlRow>, "columns" | "rows"> {
  if (rowsAs === "arrays") return { columns: [...columns], rows: [...rows] };
  const keys = uniqueNames(columns);
  return { rows: rows.map((row) => Object.fromEntries(row.map((value, at) => [keys[at], value]))) };
}
