import type { SqliteValue } from "./values.ts";

/** The part of `node:sqlite` that is used; Deno's own types lack some of it. */
export interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options: { readOnly: boolean; timeout: number },
  ) => SqliteFile;
}

/** An open file. */
export interface SqliteFile {
  readonly isTransaction: boolean;
  readonly limits: { variableNumber: number };
  prepare(text: string): SqliteStatement;
  exec(text: string): void;
  close(): void;
  /** Prevents SQL from writing directly to the schema and to the pages of the file. */
  enableDefensive(active: boolean): void;
  /** Sets a function that permits or denies each action of a statement while it is compiled. */
  setAuthorizer(
    decide: (action: number, name: string | null, value: string | null) => number,
  ): void;
}

/** A compiled statement. */
export interface SqliteStatement {
  /** The part of the text that was compiled: the first statement. */
  readonly sourceSQL: string;
  setReadBigInts(active: boolean): void;
  setReturnArrays(active: boolean): void;
  columns(): { readonly name: string | null }[];
  /**
   * In Deno 2.9.6 an error after the start only ends the iteration, as if there were no more rows.
   */
  iterate(...values: SqliteValue[]): Iterable<SqliteValue[]>;
  all(...values: SqliteValue[]): SqliteValue[][];
  run(...values: SqliteValue[]): unknown;
}

/** Codes of the authorizer (sqlite.org, "Authorizer Action Codes" and "Return Codes"). */
export const AUTHORIZER = Object.freeze({
  OK: 0,
  DENY: 1,
  DELETE: 9,
  INSERT: 18,
  PRAGMA: 19,
  READ: 20,
  SELECT: 21,
  UPDATE: 23,
  ATTACH: 24,
  FUNCTION: 31,
  RECURSIVE: 33,
});

/** Loads `node:sqlite`; the name is not a literal, so that Deno's narrower types don't apply. */
export async function loadSqlite(): Promise<SqliteModule> {
  const name: string = "node:sqlite";
  return await import(name);
}
