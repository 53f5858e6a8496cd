import type { Caller } from "../../access/caller.ts";
import type { Log } from "../../shared/log.ts";
import type { ToolContext } from "../../tool/tool.ts";
import {
  accessTo,
  DATABASE_NAME,
  type DatabaseTarget,
  type EnvLookup,
  findDatabase,
  fold,
  type FoundDatabase,
  isReadOnlyFor,
  isSameDatabase,
  OWN_FILE,
} from "./database_target.ts";
import { type BatchCall, runBatch } from "./run_batch.ts";
import { type AcquireOptions, type Connector, SessionPool } from "./session_pool.ts";
import { failed, type QueryError } from "./sql_session.ts";

/** What a tool for databases needs of its context. */
export type SqlContext = Pick<ToolContext, "env" | "envNames" | "log" | "limits" | "onShutdown">;

/** Which database a caller asks for, and what for. */
interface DatabaseRequest {
  readonly database?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** The databases of a server, as far as a caller may use them. */
export interface Databases {
  /**
   * Finds a database, and decides whether the caller may only read it. Throws a `NotAllowedError`
   * if it may not even do that.
   */
  find(request: DatabaseRequest, caller: Caller): { found: FoundDatabase; readOnly: boolean };
  /** The same, or an error if it is an SQLite file that does not exist and is not to be created. */
  requireFile(
    found: FoundDatabase,
    wish: Parameters<typeof requireFile>[2],
  ): Promise<FoundDatabase>;
  /** Lists the databases that a caller may use, the default one first. */
  names(caller: Caller, signal: AbortSignal): Promise<{ name: string; isDefault: boolean }[]>;
  /** Adds the names that a caller may use to the error of an unknown database. */
  explain(caller: Caller, signal: AbortSignal): (error: QueryError) => Promise<QueryError>;
  /** Opens the connections. */
  readonly connector: Connector;
}

const POOL = { perDatabase: 4, inAll: 16, idleMs: 60_000 };
/** A session of SQLite is a process of its own, whose start takes longer than most queries. */
const SQLITE_THRIFT = { patienceMs: 100, idleMs: 10_000 };
const ON_SERVER = `SELECT datname AS name FROM pg_catalog.pg_database
  WHERE datallowconn AND NOT datistemplate AND has_database_privilege(datname, 'CONNECT')
  ORDER BY datname LIMIT 1000`;
/** How long an error waits for names. */
const NAMES_MS = 3_000;
const NAMES_BYTES = 131_072;

/** Opens the databases of a tool's context; connections are shared with the server's other tools. */
export function openDatabases({ env, envNames, log, onShutdown }: SqlContext): Databases {
  const pool = sharePool(env, log, onShutdown);
  const connector = {
    pool,
    opener: (target: DatabaseTarget, readOnly: boolean) => openerOf(target, readOnly, env),
  };
  const alwaysReadOnly = /^(1|true|yes|on)$/i.test(env("MCP_SQL_READ_ONLY") ?? "");
  const fallback = () => findDatabase(undefined, env);
  const names = (caller: Caller, signal: AbortSignal) => {
    const onServer = () => listOnServer({ ...connector, found: fallback(), signal });
    return databaseNames(caller, { env, envNames, onServer });
  };
  return {
    connector,
    find: ({ database, readOnly = false }, caller) => {
      const found = findDatabase(database, env);
      const onlyReads = isReadOnlyFor(caller, database, found, fallback());
      return { found, readOnly: onlyReads || alwaysReadOnly || readOnly };
    },
    requireFile: (found, wish) => requireFile(found, fallback(), wish),
    names: async (caller, signal) => {
      const own = fallback();
      const isDefault = (name: string) => own.ok && own.target.name === name;
      return (await names(caller, signal)).map((name) => ({ name, isDefault: isDefault(name) }));
    },
    explain: (caller, signal) => (error) => withNames(error, () => names(caller, signal)),
  };
}

/** The databases of a PostgreSQL server; none if it does not answer soon. */
async function listOnServer(
  call: Connector & Pick<BatchCall, "found" | "signal">,
): Promise<string[]> {
  const { results } = await runBatch({ queries: [ON_SERVER], readOnly: true }, {
    ...call,
    timeoutMs: NAMES_MS,
    maxRows: Infinity,
    rowsAs: "objects",
    budget: { bytes: NAMES_BYTES },
    explain: (error) => Promise.resolve(error),
  });
  return results.flatMap(({ rows }) => rows.map(({ name }) => String(name)));
}

/** A pool, and how many tools use it. */
interface SharedPool {
  readonly pool: SessionPool;
  users: number;
}

/** The pools of servers, by the environment that all tools of a server are given. */
const POOLS = new WeakMap<EnvLookup, SharedPool>();

/** The pool of a server; it is closed when the last tool that uses it ends. */
function sharePool(env: EnvLookup, log: Log, onShutdown: SqlContext["onShutdown"]): SessionPool {
  const shared = POOLS.get(env) ?? { pool: new SessionPool(POOL, log), users: 0 };
  POOLS.set(env, shared);
  shared.users++;
  onShutdown(async () => {
    if (--shared.users > 0) return;
    POOLS.delete(env);
    await shared.pool.close();
  });
  return shared.pool;
}

/**
 * How the sessions of a target are opened, and the key of those that can be exchanged for each
 * other.
 */
function openerOf(
  target: DatabaseTarget,
  readOnly: boolean,
  env: EnvLookup,
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

/** What an error lists at most. */
const MOST_NAMES = 10;
/** Errors of a name that leads to no database: the service's own, and PostgreSQL's. */
const UNKNOWN = ["UNKNOWN_DATABASE", "3D000"];
const SETTING = /^MCP_DATABASE_(?=.)/;
const FILE = /\.db$/;

/** How the databases of a server are found. */
export interface NameSources extends Pick<ToolContext, "env" | "envNames"> {
  /** Lists the databases of the PostgreSQL server that the default one is on. */
  readonly onServer: () => Promise<readonly string[]>;
}

/**
 * Lists the databases that a caller may use, the default one first: those of settings, those of its
 * PostgreSQL server, and the files of the data folder.
 */
export async function databaseNames(
  { rights }: Caller,
  { env, envNames, onServer }: NameSources,
): Promise<string[]> {
  const mayUse = (name: string) =>
    rights === undefined || accessTo(name, rights.databases) !== undefined;
  const fallback = findDatabase(undefined, env);
  const own = fallback.ok ? [fallback.target.name] : [];
  const settings = envNames.filter((key) => SETTING.test(key) && env(key))
    .flatMap((key) => spellings(key.replace(SETTING, ""), rights?.databases).find(mayUse) ?? []);
  const others = await besideDefault(fallback, env, onServer);
  const names = [...own, ...settings.sort(), ...[...others].sort()];
  return [...new Set(names)].filter((name) => DATABASE_NAME.test(name) && mayUse(name));
}

/** How the name of a setting is written in a batch: as in the rights, or else in small letters. */
function spellings(name: string, databases: Readonly<Record<string, unknown>> = {}): string[] {
  if (name !== fold(name)) return [name];
  const granted = Object.keys(databases).filter((key) => fold(key) === name);
  const small = name.toLowerCase();
  return [...granted, small.replaceAll("_", "-"), small, name];
}

/** The databases that have no setting of their own. */
async function besideDefault(
  fallback: FoundDatabase,
  env: EnvLookup,
  onServer: NameSources["onServer"],
): Promise<readonly string[]> {
  if (!fallback.ok) return [];
  if (fallback.target.engine === "postgres") return await onServer();
  if (env("DATABASE_URL")) return [];
  const files = await filesIn(fallback.target.path.replace(/[^/]+$/, ""));
  return files.filter((name) => name.toLowerCase() !== OWN_FILE);
}

async function filesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (FILE.test(name)) names.push(name.replace(FILE, ""));
    }
  } catch {
    // A folder that can't be read has no names to offer.
  }
  return names;
}

/** Adds to the error of an unknown database which ones there are; other errors stay as they are. */
export async function withNames(
  error: QueryError,
  names: () => Promise<readonly string[]>,
): Promise<QueryError> {
  if (!UNKNOWN.includes(error.code)) return error;
  const all = await names();
  const more = all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : "";
  const listed = all.length === 0 ? "none" : all.slice(0, MOST_NAMES).join(", ");
  return { ...error, hint: `Databases that you may use: ${listed}${more}` };
}

/** What a batch says about a database that may not exist yet. */
interface Wish {
  readonly create?: boolean | undefined;
  readonly readOnly: boolean;
}

/**
 * Refuses an SQLite file that does not exist, unless the batch creates it; the default one is
 * created on its first use.
 */
export async function requireFile(
  found: FoundDatabase,
  fallback: FoundDatabase,
  { create = true, readOnly }: Wish,
): Promise<FoundDatabase> {
  if (!found.ok || found.target.engine !== "sqlite" || isSameDatabase(found, fallback)) {
    return found;
  }
  if (create && !readOnly || !await isMissing(found.target.path)) return found;
  const advice = readOnly
    ? ", and a read-only batch does not create it"
    : "; set create: true on the batch to create it";
  const { name } = found.target;
  return failed(
    "UNKNOWN_DATABASE",
    `Cannot use the database "${name}": its file does not exist${advice}`,
  );
}

/** Whether there is nothing at a path; what else is wrong with it, opening the file says. */
export async function isMissing(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
