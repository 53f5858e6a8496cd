import { untilAborted } from "../../domain/deadline.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { DatabaseTarget, FoundDatabase } from "./database_target.ts";
import type { AcquireOptions, Lease, SessionPool } from "./session_pool.ts";
import {
  type BatchOptions,
  connectionLost,
  failed,
  type QueryBounds,
  type QueryError,
  type QueryOutcome,
  requireWholeText,
  type SqlQuery,
  type SqlSession,
  toQueryError,
} from "./sql_session.ts";

/** Queries for one connection, in order. */
export interface SqlBatch {
  /** Name of a configured database. @default {the server's own} */
  readonly database?: string | undefined;
  /** One statement each. */
  readonly queries: readonly string[];
  /** The values of the placeholders of each query. */
  readonly params?: readonly (readonly unknown[])[] | undefined;
  /** The engine rejects every write. */
  readonly readOnly?: boolean | undefined;
}

/** The result of one query. */
export type SqlResult = {
  /** The query's text, as it was sent. */
  query: string;
  /** Whether the engine executed it. */
  success: boolean;
  /** Column names to values. */
  rows: JsonObject[];
  /** Rows affected, otherwise rows returned. */
  rowCount: number;
  /** There were more rows than returned. */
  truncated?: true;
  /** Why it failed. */
  error?: QueryError;
};

/** The result of a batch. */
export type SqlBatchResult = {
  /** The name of its database. */
  database: string;
  /** One for each query. */
  results: SqlResult[];
  /** A transaction was left open and has been rolled back. */
  rolledBack?: true;
};

/** What a batch is run with. */
export interface BatchCall {
  readonly found: FoundDatabase;
  readonly pool: SessionPool;
  readonly opener: (
    target: DatabaseTarget,
    readOnly: boolean,
  ) => Pick<AcquireOptions, "key" | "open" | "thrift">;
  readonly timeoutMs: number;
  readonly maxRows: number;
  /** What is left for the rows of the whole call. */
  readonly budget: { bytes: number };
  readonly signal: AbortSignal;
}

/** A batch for which it is decided whether it may write. */
export type DecidedBatch = SqlBatch & { readonly readOnly: boolean };

/** What is kept of the rows of one query. */
const QUERY_BYTES = 1_048_576;
const MOST_TRIES = 5;

/** Runs a batch on one connection; if there is none, each query reports why. */
export async function runBatch(batch: DecidedBatch, call: BatchCall): Promise<SqlBatchResult> {
  const { found } = call;
  if (!found.ok) return refuse(batch, batch.database ?? "", found.error);
  const { target } = found;
  const lease = await acquire(batch, target, call);
  if ("error" in lease) return refuse(batch, target.name, lease.error);
  let clean = false;
  try {
    const results = await runQueries(batch, lease.session, call);
    const { rolledBack } = await lease.session.reset();
    clean = true;
    const reported = rolledBack && !isOwnTransaction(batch, target);
    return { database: target.name, results, ...(reported ? { rolledBack } : {}) };
  } finally {
    if (!clean) await lease.session.close();
    lease.release();
  }
}

/** An idle connection may have broken unnoticed: then the next one is tried. */
async function acquire(
  { readOnly }: DecidedBatch,
  target: DatabaseTarget,
  { pool, opener, timeoutMs, signal }: BatchCall,
): Promise<Lease | { error: QueryError }> {
  const options = { ...opener(target, readOnly), signal, waitMs: timeoutMs };
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const lease = await pool.acquire(options);
      if ("error" in lease || await begins(lease, { readOnly, timeoutMs, signal })) return lease;
    }
    return connectionLost({ sent: false });
  } catch (error) {
    return { error: toQueryError(error, "08001") };
  }
}

/**
 * Prepares a session. One that can't be prepared, or not before the call is cancelled, is closed and
 * released.
 */
async function begins(
  { session, release }: Lease,
  { signal, ...options }: BatchOptions & { readonly signal: AbortSignal },
): Promise<boolean> {
  let ready = false;
  try {
    ready = await untilAborted(session.begin(options), signal);
    return ready;
  } finally {
    if (!ready) {
      await session.close();
      release();
    }
  }
}

async function runQueries(
  { queries, params = [] }: SqlBatch,
  session: SqlSession,
  { timeoutMs, maxRows, budget, signal }: BatchCall,
): Promise<SqlResult[]> {
  const results: SqlResult[] = [];
  for (const [at, text] of queries.entries()) {
    if (signal.aborted) break;
    const maxBytes = Math.min(QUERY_BYTES, budget.bytes);
    const query = { text, params: params[at] ?? [] };
    const outcome = await runQuery(session, query, { maxRows, maxBytes, timeoutMs, signal });
    if (outcome.ok) budget.bytes -= outcome.bytes;
    results.push(toResult(text, outcome));
  }
  return results;
}

async function runQuery(
  session: SqlSession,
  query: SqlQuery,
  bounds: QueryBounds,
): Promise<QueryOutcome> {
  if (query.text.includes("\0")) {
    return failed("22021", "Cannot run the query: it has a NUL character; remove it");
  }
  try {
    requireWholeText(query.text, "the query");
  } catch (error) {
    return { ok: false, error: toQueryError(error) };
  }
  const outcome = await session.run(query, bounds);
  return isUnanswerable(outcome) ? rowTooLarge(outcome.refusedBytes) : outcome;
}

/** Whether the first row is larger than a query's bound: an answer without it would look empty. */
function isUnanswerable(outcome: QueryOutcome): outcome is QueryOutcome & { refusedBytes: number } {
  return outcome.ok && outcome.rows.length === 0 && outcome.refusedBytes > QUERY_BYTES;
}

function rowTooLarge(bytes: number): QueryOutcome {
  const message = `Cannot answer a row of ${bytes} bytes: a query's rows have ${QUERY_BYTES} at ` +
    "most, so select less of it, such as substr(column, 1, 1000); the statement itself was run";
  return failed("ROW_TOO_LARGE", message);
}

function toResult(query: string, outcome: QueryOutcome): SqlResult {
  if (!outcome.ok) return { query, success: false, rows: [], rowCount: 0, error: outcome.error };
  const { rows, rowCount, truncated } = outcome;
  return { query, success: true, rows, rowCount, ...(truncated ? { truncated } : {}) };
}

function refuse({ queries }: SqlBatch, database: string, error: QueryError): SqlBatchResult {
  const results = queries.map((query) => toResult(query, { ok: false, error }));
  return { database, results };
}

/** In PostgreSQL each query of a read-only batch runs in its own transaction. */
function isOwnTransaction({ readOnly }: DecidedBatch, { engine }: DatabaseTarget): boolean {
  return readOnly && engine === "postgres";
}
