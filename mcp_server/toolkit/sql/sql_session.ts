import type { JsonObject } from "../../domain/json.ts";

/** Why a query failed, as its engine tells it. */
export type QueryError = {
  /** SQLSTATE, the name of SQLite's code, or that of the operating system's error. */
  code: string;
  /** The engine's own words. */
  message: string;
  /** More of them. */
  detail?: string;
  /** What may help. */
  hint?: string;
  /** Where in the query the fault is, in characters from 1. */
  position?: number;
};

/** One statement and what is bound to its placeholders. */
export interface SqlQuery {
  readonly text: string;
  /** JSON values. */
  readonly params: readonly unknown[];
}

/** What bounds one query. */
export interface QueryBounds {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** After it the engine stops the statement. */
  readonly timeoutMs: number;
  /** Stops the statement in the engine. */
  readonly signal: AbortSignal;
}

/** What became of a query. */
export type QueryOutcome =
  | {
    readonly ok: true;
    readonly rows: JsonObject[];
    /** Rows affected, else rows answered. */
    readonly rowCount: number;
    /** There were more rows than the bounds allow. */
    readonly truncated: boolean;
    /** Size of the rows, about. */
    readonly bytes: number;
    /** Size of the first row that was too large for the bounds, about; 0 if there was none. */
    readonly refusedBytes: number;
  }
  | { readonly ok: false; readonly error: QueryError };

/** A connection to a database, which serves one batch after another. */
export interface SqlSession {
  /** `false` once it must not serve another batch. */
  readonly usable: boolean;
  /** Makes it ready for a batch; answers `false` where it turns out to be dead. */
  begin(options: BatchOptions): Promise<boolean>;
  /** Runs one statement; never rejects. */
  run(query: SqlQuery, bounds: QueryBounds): Promise<QueryOutcome>;
  /** Forgets all that the batch left behind; tells whether a transaction was open. */
  reset(): Promise<{ rolledBack: boolean }>;
  /** Ends it, whatever runs. */
  close(): Promise<void>;
}

/** What holds for all queries of a batch. */
export interface BatchOptions {
  readonly readOnly: boolean;
  readonly timeoutMs: number;
}

/** How a session is opened. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Called once when the connection breaks. */
  readonly onLost: (why: string) => void;
}

/** A failed query. */
export function failed(code: string, message: string): { ok: false; error: QueryError } {
  return { ok: false, error: { code, message } };
}
