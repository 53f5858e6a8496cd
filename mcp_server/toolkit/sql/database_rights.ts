import type { Caller, Rights } from "../../access/caller.ts";
import { NotAllowedError, quote } from "../../shared/error.ts";
import { matchesWildcard } from "../../shared/wildcard.ts";
import { DEFAULT_NAME, type FoundDatabase } from "./database_target.ts";

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

/** The database of a batch. */
interface RequestedDatabase {
  /** The name in the batch. */
  readonly name: string | undefined;
  readonly found: FoundDatabase;
  /** What a batch without a name uses. */
  readonly fallback: FoundDatabase;
}

/**
 * Whether a caller may only read the database of a batch. Throws a `NotAllowedError` if it may not
 * use it at all.
 */
export function isReadOnlyFor(
  caller: Caller,
  { name: requested, found, fallback }: RequestedDatabase,
): boolean {
  if (caller.rights === undefined) return false;
  const { databases } = caller.rights;
  const name = requested ?? (found.ok ? found.target.name : DEFAULT_NAME);
  const access = accessTo(name, databases);
  if (access === undefined) throw notAllowed(name, caller.name, databases);
  // The default database may have another name than the one under which its right is given.
  const isDefault = requested === undefined ||
    !Object.hasOwn(databases, requested) && isSame(found, fallback);
  const asDefault = isDefault && Object.hasOwn(databases, DEFAULT_NAME)
    ? databases[DEFAULT_NAME]
    : undefined;
  return stricter(access, asDefault ?? access) === "ro";
}

/** Whether two names lead to one database. */
function isSame(found: FoundDatabase, other: FoundDatabase): boolean {
  if (!found.ok || !other.ok) return false;
  const [one, two] = [found, other].map(({ target: { name: _name, ...rest } }) => rest);
  return JSON.stringify(one) === JSON.stringify(two);
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
function fold(name: string): string {
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
