import type { Caller, Rights } from "../../access/caller.ts";
import { NotAllowedError, quote } from "../../shared/error.ts";
import { withoutUnset } from "../../shared/json.ts";
import { matchesWildcard } from "../../shared/wildcard.ts";
import { failed, type QueryError } from "./sql_session.ts";

/** One variable of the server's environment. */
export type EnvLookup = (name: string) => string | undefined;

/** Where `pg` connects to. */
export interface PostgresOptions {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

/** A database that the operator configured. */
export type DatabaseTarget =
  | { readonly engine: "postgres"; readonly name: string; readonly options: PostgresOptions }
  | { readonly engine: "sqlite"; readonly name: string; readonly path: string };

/** The database of a name, or why there is none. */
export type FoundDatabase =
  | { readonly ok: true; readonly target: DatabaseTarget }
  | { readonly ok: false; readonly error: QueryError };

/** Valid names of databases; never a URL or a path. */
export const DATABASE_NAME = /^[A-Za-z0-9_-]{1,63}$/;

/** What a default database without a name of its own is called. */
const DEFAULT_NAME = "main";
/** The name of the server's own file in the data folder. */
export const OWN_FILE = "jobs";
const PG_SETTINGS = ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE"];

/**
 * Finds a database by its name, in this order: `MCP_DATABASE_<NAME>`, first as written, then in
 * capitals with `_` for `-`; a database of the server of `DATABASE_URL` or `PG*`; without either of
 * these, an SQLite file in the data folder. Pure.
 */
export function findDatabase(name: string | undefined, env: EnvLookup): FoundDatabase {
  if (name !== undefined && !DATABASE_NAME.test(name)) {
    return failed(
      "UNKNOWN_DATABASE",
      `Cannot use the database ${quote(name)}: a name has letters, digits, _ and - only`,
    );
  }
  const named = name === undefined ? undefined : namedUrl(name, env);
  if (named !== undefined) return toTarget(named, { name });
  const url = env("DATABASE_URL");
  if (url) return toTarget(url, name === undefined ? {} : { database: name });
  if (PG_SETTINGS.some((setting) => env(setting))) return { ok: true, target: fromPg(name, env) };
  return inDataFolder(name ?? DEFAULT_NAME, env);
}

function namedUrl(name: string, env: EnvLookup): string | undefined {
  return env(`MCP_DATABASE_${name}`) || env(`MCP_DATABASE_${fold(name)}`) || undefined;
}

/** `database` replaces the one that the URL names; `name` is what the caller sees. */
function toTarget(text: string, options: { name?: string; database?: string }): FoundDatabase {
  const { database } = options;
  const url = URL.parse(text);
  if (url?.protocol === "sqlite:" && url.host === "" && url.pathname.length > 1) {
    if (database !== undefined) {
      return failed(
        "UNKNOWN_DATABASE",
        `Cannot use the database "${database}": there is only the default one; leave it out`,
      );
    }
    const { name = DEFAULT_NAME } = options;
    return { ok: true, target: { engine: "sqlite", name, path: decodePart(url.pathname) } };
  }
  if (url?.protocol !== "postgres:" && url?.protocol !== "postgresql:") {
    const message = "Cannot use the database: its URL must be postgres://... or sqlite:///path; " +
      "the operator has to correct it";
    return failed("BAD_DATABASE_URL", message);
  }
  if (database !== undefined) url.pathname = `/${database}`;
  const ownName = decodePart(url.pathname.slice(1)) || decodePart(url.username) || "postgres";
  const connection = { connectionString: url.href };
  return {
    ok: true,
    target: { engine: "postgres", name: options.name ?? ownName, options: connection },
  };
}

/** `pg` adds its own defaults for what is missing here. */
function fromPg(name: string | undefined, env: EnvLookup): DatabaseTarget {
  const [host, port, user, password] = ["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD"]
    .map((key) => env(key) || undefined);
  const database = name ?? (env("PGDATABASE") || user || "postgres");
  const options = {
    database,
    host,
    port: port === undefined ? port : Number(port),
    user,
    password,
  };
  return { engine: "postgres", name: database, options: withoutUnset(options) };
}

function inDataFolder(name: string, env: EnvLookup): FoundDatabase {
  const home = env("XDG_DATA_HOME") || (env("HOME") ? `${env("HOME")}/.local/share` : undefined);
  const folder = env("MCP_DATA_DIR") || (home === undefined ? undefined : `${home}/trestle`);
  if (folder === undefined) {
    return failed(
      "NO_DATA_FOLDER",
      "Cannot use a database: there is no folder for it; set MCP_DATA_DIR",
    );
  }
  if (name.toLowerCase() === OWN_FILE) {
    return failed(
      "UNKNOWN_DATABASE",
      `Cannot use the database "${name}": the server keeps its jobs in that file; use another name`,
    );
  }
  const path = `${folder.replace(/\/+$/, "")}/${name}.db`;
  return { ok: true, target: { engine: "sqlite", name, path } };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a caller may do with a database. */
type Access = "ro" | "rw";

/**
 * What rights say about the database of a name; `undefined` if they don't name it. The exact name
 * counts before a pattern, and a longer pattern before a shorter one. Names that differ only in
 * case, `-` and `_` can mean the same database: unless the exact name is given, the stricter right
 * of all of them counts.
 */
export function accessTo(name: string, databases: Rights["databases"]): Access | undefined {
  if (Object.hasOwn(databases, name)) return databases[name];
  const entries = Object.entries(databases);
  const named = longestMatch(name, entries);
  if (named === undefined) return undefined;
  const folded = entries.map(([pattern, access]) => [fold(pattern), access] as const);
  return stricter(named, longestMatch(fold(name), folded) ?? named);
}

/**
 * Whether a caller may only read the database that was found for the name in a batch; `fallback` is
 * what a batch without a name uses. Throws a `NotAllowedError` if it may not use it at all.
 */
export function isReadOnlyFor(
  caller: Caller,
  requested: string | undefined,
  found: FoundDatabase,
  fallback: FoundDatabase,
): boolean {
  if (caller.rights === undefined) return false;
  const { databases, readOnly = false } = caller.rights;
  const name = requested ?? (found.ok ? found.target.name : DEFAULT_NAME);
  const access = accessTo(name, databases);
  if (access === undefined) throw notAllowed(name, caller.name, databases);
  // The default database may have another name than the one under which its right is given.
  const isDefault = requested === undefined ||
    !Object.hasOwn(databases, requested) && isSameDatabase(found, fallback);
  const asDefault = isDefault && Object.hasOwn(databases, DEFAULT_NAME)
    ? databases[DEFAULT_NAME]
    : undefined;
  return readOnly || stricter(access, asDefault ?? access) === "ro";
}

/** Whether two names lead to one database. */
export function isSameDatabase(found: FoundDatabase, other: FoundDatabase): boolean {
  if (!found.ok || !other.ok) return false;
  return JSON.stringify({ ...found.target, name: "" }) ===
    JSON.stringify({ ...other.target, name: "" });
}

function longestMatch(
  name: string,
  entries: readonly (readonly [pattern: string, access: Access])[],
): Access | undefined {
  const found = entries.filter(([pattern]) => matchesWildcard(name, pattern));
  const longest = Math.max(...found.map(([pattern]) => pattern.length));
  return found.filter(([pattern]) => pattern.length === longest)
    .map(([, access]) => access)
    .reduce<Access | undefined>((first, second) => stricter(first ?? second, second), undefined);
}

function stricter(first: Access, second: Access): Access {
  return first === "ro" ? first : second;
}

/** The name as the variable `MCP_DATABASE_<NAME>` has it. */
export function fold(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}

function notAllowed(name: string, caller: string, databases: Rights["databases"]) {
  const rule = Object.entries(databases).map((entry) => entry.join(": ")).join(", ") || "none";
  return new NotAllowedError(
    `Cannot use the database ${
      quote(name)
    }: it is not among the databases of the caller "${caller}" (${rule})`,
  );
}
