import { untilAborted } from "../../shared/deadline.ts";
import type { DatabaseTarget, FoundDatabase } from "./database_target.ts";
import {
  type CallBounds,
  runQueries,
  runTransaction,
  type SqlResult,
  stoppedAt,
  toFailure,
} from "./run_queries.ts";
import type { AcquireOptions, Lease, SessionPool } from "./session_pool.ts";
import { type BatchOptions, connectionLost, type QueryError, toQueryError } from "./sql_session.ts";

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
  /** Everything is committed at the end, or nothing: the first error stops the batch. */
  readonly transaction?: boolean | undefined;
}

/** The result of a batch. */
export type SqlBatchResult = {
  /** The name of its database. */
  database: string;
  /** One for each query. */
  results: SqlResult[];
  /** A transaction was rolled back although no query asked for it, such as one left open. */
  rolledBack?: true;
  /** Why the batch's own transaction could not begin or be committed. */
  error?: QueryError;
};

/** What a batch is run with. */
export interface BatchCall extends CallBounds {
  readonly found: FoundDatabase;
  readonly pool: SessionPool;
  readonly opener: (
    target: DatabaseTarget,
    readOnly: boolean,
  ) => Pick<AcquireOptions, "key" | "open" | "thrift">;
}

/** A batch for which it is decided whether it may write. */
export type DecidedBatch = SqlBatch & { readonly readOnly: boolean };

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
    const run = { ...batch, engine: target.engine, session: lease.session, bounds: call };
    const { inDoubt, undone, ...ran } = batch.transaction
      ? await runTransaction(run, beginning(batch, target))
      : await runQueries(run);
    const { rolledBack } = await lease.session.reset();
    clean = true;
    const reported = undone ?? (rolledBack && !inDoubt && !isOwnTransaction(batch, target));
    return { database: target.name, ...ran, ...(reported ? { rolledBack: true } : {}) };
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

function refuse(
  { queries, transaction = false }: SqlBatch,
  database: string,
  error: QueryError,
): SqlBatchResult {
  if (!transaction) return { database, results: queries.map((query) => toFailure(query, error)) };
  return { database, results: stoppedAt(0, queries, error), rolledBack: true };
}

/**
 * How a batch's own transaction begins. SQLite can't wait for a lock that a transaction asks for
 * after it has read, so one that may write asks for it first (sqlite.org, "Transaction", 2.2).
 */
function beginning(batch: DecidedBatch, target: DatabaseTarget): string | undefined {
  if (isOwnTransaction(batch, target)) return undefined;
  return target.engine === "sqlite" && !batch.readOnly ? "BEGIN IMMEDIATE" : "BEGIN";
}

/** In PostgreSQL each query of a read-only batch runs in its own transaction. */
function isOwnTransaction({ readOnly }: DecidedBatch, { engine }: DatabaseTarget): boolean {
  return readOnly && engine === "postgres";
}
