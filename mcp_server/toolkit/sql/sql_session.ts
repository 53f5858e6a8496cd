import type { JsonObject } from "../../shared/json.ts";

/** Why a query failed, as the engine reports it. */
export type QueryError = {
  /** SQLSTATE, or the name of SQLite's code or the operating system's error. */
  code: string;
  /** The engine's own message. */
  message: string;
  /** The engine's details. */
  detail?: string;
  /** The engine's hint. */
  hint?: string;
  /** The position of the error in the query, in characters from 1. */
  position?: number;
};

/** What the engine reported without failing. */
export type QueryNotice = {
  /** `NOTICE`, `WARNING`, or another severity of the engine. */
  severity: string;
  /** SQLSTATE. */
  code: string;
  /** The engine's own message. */
  message: string;
  /** The engine's details. */
  detail?: string;
  /** The engine's hint. */
  hint?: string;
};

/** One statement and the values of its placeholders. */
export interface SqlQuery {
  readonly text: string;
  /** JSON values. */
  readonly params: readonly unknown[];
}

/** What bounds one query. */
export interface QueryBounds {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** The time after which the engine stops the statement. */
  readonly timeoutMs: number;
  /** Stops the statement in the engine. */
  readonly signal: AbortSignal;
}

/** The result of a query. */
export type QueryOutcome =
  | {
    readonly ok: true;
    readonly rows: JsonObject[];
    /** Rows affected, otherwise rows returned. */
    readonly rowCount: number;
    /** There were more rows than the bounds allow. */
    readonly truncated: boolean;
    /** Approximate size of the rows. */
    readonly bytes: number;
    /** Approximate size of the first row that was too large for the bounds; 0 if there was none. */
    readonly refusedBytes: number;
    readonly notices?: readonly QueryNotice[];
  }
  | {
    readonly ok: false;
    readonly error: QueryError;
    /** Nobody knows whether it took effect: the engine was stopped, or lost, meanwhile. */
    readonly inDoubt?: boolean;
    readonly notices?: readonly QueryNotice[];
  };

/** A connection to a database, which serves one batch after another. */
export interface SqlSession {
  /** `false` once it must not serve another batch. */
  readonly usable: boolean;
  /** Prepares it for a batch; returns `false` if the connection is dead. */
  begin(options: BatchOptions): Promise<boolean>;
  /** Runs one statement; never rejects. */
  run(query: SqlQuery, bounds: QueryBounds): Promise<QueryOutcome>;
  /**
   * Discards everything that the batch left behind; returns whether a transaction was open, or was
   * rolled back although no query asked for it. What no answer depends on may still go on, and the
   * next batch waits for it.
   */
  reset(): Promise<{ rolledBack: boolean }>;
  /** Closes it, even during a statement. */
  close(): Promise<void>;
}

/** What applies to all queries of a batch. */
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

/** SQLSTATE "connection failure" (PostgreSQL manual, appendix A). */
const CONNECTION_LOST = "08006";

/** A query whose connection was lost, before it was sent or after that, and why, if that is known. */
export function connectionLost(
  { sent, why }: { readonly sent: boolean; readonly why?: string },
): { ok: false; error: QueryError; inDoubt: boolean } {
  const reason = why === undefined ? "" : ` (${why})`;
  const state = `the connection to the database was lost${reason}`;
  const message = sent
    ? `Cannot finish the query: ${state}; it may have taken effect, check before you try again`
    : `Cannot run the query: ${state}; try again`;
  return { ...failed(CONNECTION_LOST, message), inDoubt: sent };
}

/** The longest text of an error: an engine quotes its input, however long that is. */
const TEXT_LENGTH = 2_048;

/** A query that can't be sent or answered without loss. */
export class QueryRefusal extends Error {
  override readonly name = "QueryRefusal";
  /** The code of the query's error. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns a text; throws a `QueryRefusal` if it has half a surrogate pair, which UTF-8 can't hold. */
export function requireWholeText<Text extends string | null>(text: Text, what: string): Text {
  if (text === null || text.isWellFormed()) return text;
  throw new QueryRefusal("INVALID_TEXT", `Cannot send ${what}: it has half a surrogate pair`);
}

/** Cuts a text of an engine that is too long. */
export function cutText(text: string, most: number = TEXT_LENGTH): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}...` : text;
}

/**
 * Reads what an engine or a socket reported. Takes those of PostgreSQL's fields that help the
 * caller; an error without a code gets `fallback`.
 */
export function toQueryError(error: unknown, fallback: string = CONNECTION_LOST): QueryError {
  const cause = firstOf(error);
  const read = (key: string): string | undefined => {
    if (typeof cause !== "object" || cause === null) return undefined;
    const value: unknown = Reflect.get(cause, key);
    return typeof value === "string" && value !== "" ? cutText(value) : undefined;
  };
  const [detail, hint, position] = [read("detail"), read("hint"), Number(read("position"))];
  return {
    code: read("code") ?? fallback,
    message: read("message") ?? cutText(String(cause)),
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(position > 0 ? { position } : {}),
  };
}

/** A name with several addresses fails with one error for each. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}
