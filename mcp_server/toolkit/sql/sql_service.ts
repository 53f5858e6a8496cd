import { type Caller, DEFAULT_CALLER } from "../../access/caller.ts";
import { inParallel } from "../../shared/concurrency.ts";
import type { Limits } from "../../shared/limits.ts";
import { openDatabases, type SqlContext } from "./databases.ts";
import { runBatch, type SqlBatch, type SqlBatchResult, type SqlRow } from "./run_batch.ts";
import type { RowsAs } from "./sql_session.ts";

/** What bounds a call. */
export interface SqlCallOptions {
  /** The time-out of each statement, in milliseconds, at most as `limits` say. @default {15_000} */
  readonly timeoutMs?: number | undefined;
  /** The most rows of each query. @default {1_000} */
  readonly maxRows?: number | undefined;
  /** How many characters of JSON all rows may take. @default {what `limits` allow} */
  readonly maxCharacters?: number | undefined;
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
  run(
    batches: readonly SqlBatch[],
    options: SqlCallOptions & { readonly rowsAs: RowsAs },
  ): Promise<SqlBatchResult<SqlRow>[]>;
  /** The same, with rows as objects. */
  run(batches: readonly SqlBatch[], options: SqlCallOptions): Promise<SqlBatchResult[]>;
}

const TIMEOUT_MS = 15_000;
const ROWS = 1_000;
const MOST_ROWS = 100_000;
const BATCHES_AT_ONCE = 4;

/**
 * Creates the service of a tool. Drivers are loaded when the first query needs them, and
 * connections are closed when the server stops.
 */
export function createSqlService(context: SqlContext): SqlService {
  const databases = openDatabases(context);
  const { limits } = context;

  function run(
    batches: readonly SqlBatch[],
    options: SqlCallOptions & { readonly rowsAs: RowsAs },
  ): Promise<SqlBatchResult<SqlRow>[]>;
  function run(batches: readonly SqlBatch[], options: SqlCallOptions): Promise<SqlBatchResult[]>;
  async function run(
    batches: readonly SqlBatch[],
    options: SqlCallOptions & { readonly rowsAs?: RowsAs },
  ): Promise<SqlBatchResult<SqlRow>[]> {
    const { timeoutMs = TIMEOUT_MS, maxRows = ROWS, rowsAs = "objects" } = options;
    const { caller = DEFAULT_CALLER, signal } = options;
    const { maxTimeoutMs } = options.limits ?? limits;
    const mostBytes = Math.min(limits.maxOutputBytes, options.maxCharacters ?? Infinity);
    const call = {
      ...databases.connector,
      timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
      maxRows: Math.min(maxRows, MOST_ROWS),
      rowsAs,
      budget: { bytes: mostBytes },
      mostBytes,
      explain: databases.explain(caller, signal),
      signal,
    };
    const decided = batches.map((batch) => ({ ...batch, ...databases.find(batch, caller) }));
    const runOne = async ({ found, ...batch }: typeof decided[number]) =>
      runBatch(batch, { ...call, found: await databases.requireFile(found, batch) });
    const results = await inParallel(decided, runOne, { atOnce: BATCHES_AT_ONCE });
    signal.throwIfAborted();
    return results;
  }
  return { run };
}

/** A database that a caller may use. */
export type UsableDatabase = {
  /** What a batch calls it. */
  name: string;
  /** Whose SQL it takes. */
  dialect: "postgresql" | "sqlite";
  /** Whether the caller may only read it; absent if it may write. */
  readOnly?: true;
  /** Whether a batch without a name uses it. */
  default?: true;
};

/** Lists the databases that a caller may use, the default one first; none of them is opened. */
export type DatabaseLister = (
  call: { readonly caller?: Caller; readonly signal: AbortSignal },
) => Promise<UsableDatabase[]>;

/** Creates the lister of a tool; a PostgreSQL server that does not answer soon has no names to offer. */
export function createDatabaseLister(context: SqlContext): DatabaseLister {
  const databases = openDatabases(context);
  return async ({ caller = DEFAULT_CALLER, signal }) => {
    const names = await databases.names(caller, signal);
    return names.flatMap(({ name, isDefault }) => {
      const { found, readOnly } = databases.find(isDefault ? {} : { database: name }, caller);
      if (!found.ok) return [];
      const dialect = found.target.engine === "postgres"
        ? "postgresql" as const
        : "sqlite" as const;
      return [{
        name,
        dialect,
        ...(readOnly ? { readOnly } : {}),
        ...(isDefault ? { default: isDefault } : {}),
      }];
    });
  };
}
