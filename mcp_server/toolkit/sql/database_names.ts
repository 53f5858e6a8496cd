import type { Caller } from "../../access/caller.ts";
import type { ToolContext } from "../../tool/tool.ts";
import {
  accessTo,
  DATABASE_NAME,
  type EnvLookup,
  findDatabase,
  fold,
  type FoundDatabase,
  isSameDatabase,
  OWN_FILE,
} from "./database_target.ts";
import { failed, type QueryError } from "./sql_session.ts";

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
