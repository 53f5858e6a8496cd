import type { JsonObject } from "../../domain/json.ts";
import type { QueryError } from "./sql_session.ts";

/** Queries for one connection, in order. */
export interface SqlBatch {
  /** Name of a configured database. @default {the server's own} */
  readonly database?: string | undefined;
  /** One statement each. */
  readonly queries: readonly string[];
  /** For each query the values of its placeholders. */
  readonly params?: readonly (readonly unknown[])[] | undefined;
  /** The engine refuses every write. */
  readonly readOnly?: boolean | undefined;
}

/** What became of one query. */
export type SqlResult = {
  /** As it was sent. */
  query: string;
  /** Whether the engine carried it out. */
  success: boolean;
  /** Column names to values. */
  rows: JsonObject[];
  /** Rows affected, else rows answered. */
  rowCount: number;
  /** There were more rows than are told. */
  truncated?: true;
  /** Why it failed. */
  error?: QueryError;
};

/** What became of a batch. */
export type SqlBatchResult = {
  /** The name of its database. */
  database: string;
  /** One for each query. */
  results: SqlResult[];
  /** A transaction was left open; what it changed is undone. */
  rolledBack?: true;
};
