import { firstOf, KeyedPool, untilAborted } from "../../shared/concurrency.ts";
import type { Log } from "../../shared/log.ts";
import {
  type BatchOptions,
  connectionLost,
  failed,
  type OpenOptions,
  type QueryError,
  type SqlSession,
  toQueryError,
} from "./sql_session.ts";
import type { DatabaseTarget } from "./database_target.ts";

/** What bounds a pool. */
export interface PoolLimits {
  /** Connections to one database. */
  readonly perDatabase: number;
  /** Connections to all of them. */
  readonly inAll: number;
  /** How long a connection waits for its next batch. */
  readonly idleMs: number;
}

/** How to open a session of a database. */
export interface AcquireOptions {
  /** Identifies the database, and whatever else distinguishes its sessions. */
  readonly key: string;
  readonly open: (options: OpenOptions) => Promise<SqlSession>;
  readonly signal: AbortSignal;
  /** How long to wait for a free connection. */
  readonly waitMs: number;
  /** Keeps the sessions of the database few, because each costs as much as a process. */
  readonly thrift?: Thrift;
}

/** What keeps sessions few. */
export interface Thrift {
  /**
   * How long to wait for a session that is in use before another one is opened; longer if opening
   * one took longer, up to 1 s.
   */
  readonly patienceMs: number;
  /** How long one waits for its next batch while another one of its database is idle. */
  readonly idleMs: number;
}

/** A session that a batch has to itself. */
export interface Lease {
  readonly session: SqlSession;
  /** Releases it; an unusable session is closed. */
  release(): void;
}

/** The longest wait that a slow opening causes. */
const MOST_PATIENCE_MS = 1_000;

interface Entry {
  readonly key: string;
  session?: SqlSession;
  /** How long opening it took. */
  openMs?: number;
}

/** Keeps connections for the next batch, within its limits. */
export class SessionPool {
  readonly #limits: PoolLimits;
  readonly #log: Log;
  readonly #entries = new Set<Entry>();
  readonly #idle = new KeyedPool<Entry>((entry) => void this.#remove(entry));
  #freed = Promise.withResolvers<void>();
  #closed = false;

  constructor(limits: PoolLimits, log: Log) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Acquires a session, an idle one if there is one; rejects with the error of opening it. */
  async acquire(options: AcquireOptions): Promise<Lease | { ok: false; error: QueryError }> {
    const { key, signal, thrift } = options;
    const startedAt = performance.now();
    const deadline = startedAt + options.waitMs;
    const patientUntil = startedAt + Math.min(this.#patience(key, thrift), options.waitMs);
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) {
        return failed("POOL_CLOSED", "Cannot run the batch: the server is shutting down");
      }
      const now = performance.now();
      const waits = now < patientUntil && this.#of(key).length > 0;
      const entry = this.#idle.take(key) ?? (waits ? undefined : this.#reserve(key));
      if (entry !== undefined) return await this.#lease(entry, options);
      if (now >= deadline) {
        return failed(
          "53300",
          `Cannot run the batch: no connection became free within ${options.waitMs} ms; try again`,
        );
      }
      await this.#untilFreed(signal, (waits ? patientUntil : deadline) - now);
    }
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    this.#closed = true;
    const entries = [...this.#entries];
    await Promise.all(entries.map((entry) => this.#remove(entry)));
  }

  /** Reserves a connection; if all are taken, an idle one to another database is closed. */
  #reserve(key: string): Entry | undefined {
    if (this.#of(key).length >= this.#limits.perDatabase) return undefined;
    if (this.#entries.size >= this.#limits.inAll) {
      const { oldest } = this.#idle;
      if (oldest === undefined) return undefined;
      void this.#remove(oldest);
    }
    const entry: Entry = { key };
    this.#entries.add(entry);
    return entry;
  }

  #of(key: string): Entry[] {
    return [...this.#entries].filter((entry) => entry.key === key);
  }

  /** Opening a session is worth its cost only after a wait that cost as much. */
  #patience(key: string, thrift?: Thrift): number {
    if (thrift === undefined) return 0;
    const openMs = Math.max(0, ...this.#of(key).map((entry) => entry.openMs ?? 0));
    return Math.max(thrift.patienceMs, Math.min(openMs, MOST_PATIENCE_MS));
  }

  async #lease(entry: Entry, { open, signal, thrift }: AcquireOptions): Promise<Lease> {
    try {
      const startedAt = performance.now();
      const session = entry.session ??= await open({
        signal,
        onLost: (why) => this.#forgetLost(entry, why),
      });
      entry.openMs ??= performance.now() - startedAt;
      return { session, release: () => this.#release(entry, session, thrift) };
    } catch (error) {
      void this.#remove(entry);
      throw error;
    }
  }

  #release(entry: Entry, session: SqlSession, thrift?: Thrift): void {
    if (this.#closed || !session.usable) return void this.#remove(entry);
    const isSpare = this.#idle.has(entry.key);
    const idleMs = isSpare && thrift ? thrift.idleMs : this.#limits.idleMs;
    this.#idle.give(entry.key, entry, idleMs);
    this.#notifyFreed();
  }

  #forgetLost(entry: Entry, why: string): void {
    if (!this.#idle.remove(entry)) return;
    this.#log.warn("idle database connection lost", { why });
    void this.#remove(entry);
  }

  async #remove(entry: Entry): Promise<void> {
    this.#idle.remove(entry);
    this.#entries.delete(entry);
    this.#notifyFreed();
    await entry.session?.close();
  }

  #notifyFreed(): void {
    this.#freed.resolve();
    this.#freed = Promise.withResolvers();
  }

  async #untilFreed(signal: AbortSignal, timeoutMs: number): Promise<void> {
    using deadline = firstOf({ signal, timeoutMs });
    await Promise.race([this.#freed.promise, deadline.expired]);
  }
}

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
