import { type Caller, DEFAULT_CALLER } from "../../access/caller.ts";
import { inParallel } from "../../shared/concurrency.ts";
import type { Limits } from "../../shared/limits.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type DatabaseTarget, findDatabase, isReadOnlyFor } from "./database_target.ts";
import { runBatch, type SqlBatch, type SqlBatchResult } from "./run_batch.ts";
import { type AcquireOptions, SessionPool } from "./session_pool.ts";

/** What bounds a call. */
export interface SqlCallOptions {
  /** The time-out of each statement, in milliseconds, at most as `limits` say. @default {15_000} */
  readonly timeoutMs?: number | undefined;
  /** The most rows of each query. @default {1_000} */
  readonly maxRows?: number | undefined;
  /** The limits of the call: those of a job are longer. @default {those of the server} */
  readonly limits?: Pick<Limits, "maxTimeoutMs">;
  /** Whose rights bound the databases: `extra.caller`. @default {a caller that may do everything} */
  readonly caller?: Caller;
  /** Stops the running statements in the engine. */
  readonly signal: AbortSignal;
}

/** Runs SQL on the databases that the operator configured. */
export interface SqlService {
  /**
   * Runs the batches, up to 4 at once. Rejects with the signal's reason, and with a
   * `NotAllowedError` before anything runs if the caller may not use one of the databases.
   */
  run(batches: readonly SqlBatch[], options: SqlCallOptions): Promise<SqlBatchResult[]>;
}

const TIMEOUT_MS = 15_000;
const ROWS = 1_000;
const MOST_ROWS = 100_000;
const BATCHES_AT_ONCE = 4;
const POOL = { perDatabase: 4, inAll: 16, idleMs: 60_000 };
/** A session of SQLite is a process of its own, whose start takes longer than most queries. */
const SQLITE_THRIFT = { patienceMs: 100, idleMs: 10_000 };

/**
 * Creates the service of a tool. Drivers are loaded when the first query needs them, and
 * connections are closed when the server stops.
 */
export function createSqlService(
  { env, log, limits, onShutdown }: Pick<ToolContext, "env" | "log" | "limits" | "onShutdown">,
): SqlService {
  const pool = new SessionPool(POOL, log);
  onShutdown(() => pool.close());
  const alwaysReadOnly = /^(1|true|yes|on)$/i.test(env("MCP_SQL_READ_ONLY") ?? "");
  const opener = (target: DatabaseTarget, readOnly: boolean) => openerOf(target, readOnly, env);

  return {
    run: async (batches, options) => {
      const { timeoutMs = TIMEOUT_MS, maxRows = ROWS, caller = DEFAULT_CALLER, signal } = options;
      const { maxTimeoutMs } = options.limits ?? limits;
      const call = {
        timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
        maxRows: Math.min(maxRows, MOST_ROWS),
        budget: { bytes: limits.maxOutputBytes },
        signal,
      };
      const fallback = findDatabase(undefined, env);
      const decided = batches.map((batch) => {
        const found = findDatabase(batch.database, env);
        const onlyReads = isReadOnlyFor(caller, batch.database, found, fallback);
        const readOnly = onlyReads || alwaysReadOnly || batch.readOnly === true;
        return { ...batch, found, readOnly };
      });
      const run = ({ found, ...batch }: typeof decided[number]) =>
        runBatch(batch, { ...call, found, pool, opener });
      const results = await inParallel(decided, run, { atOnce: BATCHES_AT_ONCE });
      signal.throwIfAborted();
      return results;
    },
  };
}

/**
 * How the sessions of a target are opened, and the key of those that can be exchanged for each
 * other.
 */
function openerOf(
  target: DatabaseTarget,
  readOnly: boolean,
  env: ToolContext["env"],
): Pick<AcquireOptions, "key" | "open" | "thrift"> {
  if (target.engine === "postgres") {
    return {
      key: JSON.stringify(target.options),
      open: async (options) => {
        const { PostgresSession } = await import("./postgres_session.ts");
        return await PostgresSession.open(target.options, options);
      },
    };
  }
  const file = { path: target.path, readOnly };
  return {
    key: JSON.stringify(file),
    thrift: SQLITE_THRIFT,
    open: async (options) => {
      const { SqliteSession } = await import("./sqlite_session.ts");
      return await SqliteSession.open(file, env, options);
    },
  };
}
