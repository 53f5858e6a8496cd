import { type Caller, DEFAULT_CALLER } from "../../../access/caller.ts";
import { quote, ToolError } from "../../../shared/error.ts";
import { withoutUnset } from "../../../shared/json.ts";
import type { Limits } from "../../../shared/limits.ts";
import { isMissing, openDatabases, type SqlContext } from "../databases.ts";
import type { DatabaseTarget } from "../database_target.ts";
import type { QueryError, SqlSession } from "../sql_session.ts";
import { withSession } from "../session_pool.ts";
import { postgresTables } from "./postgres_tables.ts";
import {
  type Ask,
  parseCursor,
  type SchemaDetail,
  SchemaPage,
  type TableSchema,
} from "./schema_page.ts";
import { sqliteTables } from "./sqlite_tables.ts";

/** What a caller wants to know of a database. */
export interface SchemaQuery {
  /** Name of a configured database. @default {the server's own} */
  readonly database?: string | undefined;
  /** Which tables: `schema.table`, or the table alone, where `*` is any text. @default {all} */
  readonly pattern?: string | undefined;
  /** How much of each. @default {"columns"} */
  readonly detail?: SchemaDetail | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** A page of the tables of a database. */
export type SchemaAnswer = {
  database: string;
  /** Whose SQL it takes. */
  dialect: "postgresql" | "sqlite";
  /** In the order of the catalog, which is about that of their creation. */
  tables: TableSchema[];
  /** Where the next page begins; missing on the last one. */
  nextCursor?: string;
};

/** What bounds a call. */
export interface SchemaCallOptions {
  /** The limits of the call. @default {those of the server} */
  readonly limits?: Pick<Limits, "maxTimeoutMs">;
  /** Whose rights bound the databases: `extra.caller`. @default {a caller that may do everything} */
  readonly caller?: Caller;
  /** Stops the running statement in the engine. */
  readonly signal: AbortSignal;
}

/** Reads the schema of a database, a page of at most 32 KiB at a time. */
export type SchemaReader = (
  query: SchemaQuery,
  options: SchemaCallOptions,
) => Promise<SchemaAnswer>;

const TIMEOUT_MS = 15_000;
/** What a statement reads of a catalog: far more than a page, so that a table is not cut. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Creates the reader of a tool, which only reads. Rejects with a `NotAllowedError` for a database
 * that the caller may not use, and with a `ToolError` that has the code of the engine.
 */
export function createSchemaReader(context: SqlContext): SchemaReader {
  const databases = openDatabases(context);
  return async (query, { caller = DEFAULT_CALLER, limits = context.limits, signal }) => {
    const { found } = databases.find({ database: query.database }, caller);
    const wish = { create: false, readOnly: true };
    const known = await databases.requireFile(found, wish);
    const explain = databases.explain(caller, signal);
    const name = query.database ?? (known.ok ? known.target.name : "");
    if (!known.ok) throw toToolError(name, await explain(known.error));
    const { target } = known;
    const page = new SchemaPage(parseCursor(query.cursor));
    const timeoutMs = Math.min(TIMEOUT_MS, limits.maxTimeoutMs);
    // The default file is created on its first use.
    if (target.engine !== "sqlite" || !await isMissing(target.path)) {
      const call = { ...databases.connector, readOnly: true, timeoutMs, signal };
      const used = await withSession(target, call, (session) => {
        return fillPage(page, session, { ...query, target, timeoutMs, signal });
      });
      signal.throwIfAborted();
      if ("error" in used) throw toToolError(name, await explain(used.error));
    }
    const { tables, nextCursor } = page;
    const dialect = target.engine === "postgres" ? "postgresql" as const : target.engine;
    return withoutUnset<SchemaAnswer>({ database: target.name, dialect, tables, nextCursor });
  };
}

interface PageOptions extends SchemaQuery {
  readonly target: DatabaseTarget;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Fills a page; one that took half of its time ends with what it has. */
async function fillPage(
  page: SchemaPage,
  session: SqlSession,
  { target, pattern, detail = "columns", cursor, timeoutMs, signal }: PageOptions,
): Promise<void> {
  const startedAt = performance.now();
  const leftMs = () => Math.max(1, Math.round(startedAt + timeoutMs - performance.now()));
  const ask: Ask = async (text, params) => {
    const bounds = { maxRows: 100_000, maxBytes: MOST_BYTES, rowsAs: "arrays" } as const;
    const outcome = await session.run({ text, params }, { ...bounds, timeoutMs: leftMs(), signal });
    signal.throwIfAborted();
    if (outcome.ok) return outcome.rows;
    throw toToolError(target.name, outcome.error);
  };
  const read = target.engine === "postgres" ? postgresTables : sqliteTables;
  const { id: from } = parseCursor(cursor);
  for await (const table of read(ask, { pattern, detail, from })) {
    const isLate = page.tables.length > 0 && leftMs() < timeoutMs / 2;
    if (isLate ? !page.end(table) : !page.add(table)) return;
  }
}

function toToolError(name: string, { code, message, hint }: QueryError): ToolError {
  const advice = hint === undefined ? "" : `; ${hint}`;
  return new ToolError(`Cannot read the schema of ${quote(name)}: ${message}${advice}`, {
    code,
    cause: message,
  });
}
