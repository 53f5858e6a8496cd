import { type Caller, DEFAULT_CALLER } from "../../access/caller.ts";
import { openDatabases, type SqlContext } from "./databases.ts";

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
