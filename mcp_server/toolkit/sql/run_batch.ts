import type { DatabaseTarget, FoundDatabase } from "./database_target.ts";
import { toQueryError } from "./query_error.ts";
import type { AcquireOptions, Lease, SessionPool } from "./session_pool.ts";
import type { SqlBatch, SqlBatchResult, SqlResult } from "./sql_batch.ts";
import { failed, type QueryError, type QueryOutcome, type SqlSession } from "./sql_session.ts";

/** What a batch is run with. */
export interface BatchCall {
  readonly found: FoundDatabase;
  readonly pool: SessionPool;
  readonly opener: (
    target: DatabaseTarget,
    readOnly: boolean,
  ) => Pick<AcquireOptions, "key" | "open">;
  readonly timeoutMs: number;
  readonly maxRows: number;
  /** What is left for the rows of the whole call. */
  readonly budget: { bytes: number };
  readonly signal: AbortSignal;
}

/** A batch whose right to write is decided. */
export type DecidedBatch = SqlBatch & { readonly readOnly: boolean };

/** What is kept of the rows of one query. */
const QUERY_BYTES = 1_048_576;
const MOST_TRIES = 5;

/** Runs a batch on one connection; where there is none, each query tells why. */
export async function runBatch(batch: DecidedBatch, call: BatchCall): Promise<SqlBatchResult> {
  const { found } = call;
  if (!found.ok) return refuse(batch, batch.database ?? "", found.error);
  const { target } = found;
  const lease = await acquire(batch, target, call);
  if ("error" in lease) return refuse(batch, target.name, lease.error);
  try {
    const results = await runQueries(batch, lease.session, call);
    const { rolledBack } = await lease.session.reset();
    const told = rolledBack && !isOwnTransaction(batch, target);
    return { database: target.name, results, ...(told ? { rolledBack } : {}) };
  } finally {
    lease.release();
  }
}

/** An idle connection may have died unseen: then the next one is tried. */
async function acquire(
  { readOnly }: DecidedBatch,
  target: DatabaseTarget,
  { pool, opener, timeoutMs, signal }: BatchCall,
): Promise<Lease | { error: QueryError }> {
  const options = { ...opener(target, readOnly), signal, waitMs: timeoutMs };
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const lease = await pool.acquire(options);
      if ("error" in lease || await lease.session.begin({ readOnly, timeoutMs })) return lease;
      await lease.session.close();
      lease.release();
    }
    return failed("08006", "The connection to the database was lost");
  } catch (error) {
    return { error: toQueryError(error, "08001") };
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
    const outcome = await session.run(query, { maxRows, maxBytes, timeoutMs, signal });
    if (outcome.ok) budget.bytes -= outcome.bytes;
    results.push(toResult(text, outcome));
  }
  return results;
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

/** In PostgreSQL each query of a read-only batch has a transaction of ours. */
function isOwnTransaction({ readOnly }: DecidedBatch, { engine }: DatabaseTarget): boolean {
  return readOnly && engine === "postgres";
}
