import type { Tables } from "../mock/records.ts";

/** What a link, or a file, carries. */
export interface SharedState {
  readonly schema: string;
  readonly operation: string;
  /** Tables with edited records; the others are generated again. */
  readonly tables: Tables;
  /** The text of the resolvers' module; empty if there is none. It never runs by itself. */
  readonly resolvers: string;
}

/**
 * Reads what a link or a file carries, which anybody may have written.
 *
 * @throws {TypeError} If it is not what this page writes.
 */
export function parseSharedState(value: unknown): SharedState {
  if (!isObject(value)) throw new TypeError(`Cannot open "${value}": it is not an object`);
  const { schema, operation = "", tables = {}, resolvers = "" } = value;
  return {
    schema: checkText("schema", schema),
    operation: checkText("operation", operation),
    tables: checkTables(tables),
    resolvers: checkText("resolvers", resolvers),
  };
}

function checkText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(`Cannot open "${name}": it must be text`);
}

function checkTables(value: unknown): Tables {
  if (!isObject(value)) throw new TypeError('Cannot open "tables": they must be an object');
  const tables = Object.entries(value).map(([name, records]) => {
    if (Array.isArray(records) && records.every(isObject)) return [name, records] as const;
    throw new TypeError(`Cannot open the table "${name}": it must be a list of records`);
  });
  return Object.fromEntries(tables);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
