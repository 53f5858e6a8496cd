import { untilAborted } from "../../shared/concurrency.ts";
import type { DatabaseTarget } from "./database_target.ts";
import type { AcquireOptions, Lease, SessionPool } from "./session_pool.ts";
import {
  type BatchOptions,
  connectionLost,
  type QueryError,
  type SqlSession,
  toQueryError,
} from "./sql_session.ts";

/** Where the sessions of databases come from. */
export interface Connector {
  readonly pool: SessionPool;
  readonly opener: (
    target: DatabaseTarget,
    readOnly: boolean,
  ) => Pick<AcquireOptions, "key" | "open" | "thrift">;
}

/** What a session is acquired with. */
interface SessionOptions extends Connector, BatchOptions {
  readonly signal: AbortSignal;
}

const MOST_TRIES = 5;

/**
 * Runs a function with a session of its own, and then discards what it left behind. A session whose
 * function threw, or that can't be reset, is closed. Returns why there is no session, if so.
 */
export async function withSession<Value>(
  target: DatabaseTarget,
  options: SessionOptions,
  use: (session: SqlSession) => Promise<Value>,
): Promise<{ value: Value; rolledBack: boolean } | { error: QueryError }> {
  const lease = await acquire(target, options);
  if ("error" in lease) return lease;
  let clean = false;
  try {
    const value = await use(lease.session);
    const { rolledBack } = await lease.session.reset();
    clean = true;
    return { value, rolledBack };
  } finally {
    if (!clean) await lease.session.close();
    lease.release();
  }
}

/** An idle connection may have broken unnoticed: then the next one is tried. */
async function acquire(
  target: DatabaseTarget,
  { pool, opener, readOnly, timeoutMs, signal }: SessionOptions,
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
