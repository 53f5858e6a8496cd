import { RowBudget } from "../rows.ts";
import type { QueryBounds } from "../sql_session.ts";
import type { SqliteStatement } from "./module.ts";
import { sizeOfSqlite, type SqliteValue } from "./values.ts";

/** What bounds the answer of a statement. */
export type AnswerBounds = Pick<QueryBounds, "maxRows" | "maxBytes">;

/** The rows of a statement, and how their values are read. */
export interface RowSource {
  readonly statement: SqliteStatement;
  readonly read: (value: SqliteValue) => SqliteValue;
  /** Whether a row is not one of the result, but shows that all of them were read. */
  readonly isEnd: (row: readonly SqliteValue[]) => boolean;
}

/** Makes a statement return rows as arrays, and integers as `bigint`. */
export function asArrays(statement: SqliteStatement): SqliteStatement {
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

/** The rows of a statement whose values need no decoding. */
export function asItComes(statement: SqliteStatement): RowSource {
  return { statement, read: (value) => value, isEnd: () => false };
}

/**
 * Reads the rows that fit. A statement that only reads is stepped through, so that memory use stays
 * flat however many rows there are. If it ends without the row that shows the end, it is run once
 * more, because an error looks like an end.
 */
export function readRows(
  source: RowSource,
  values: SqliteValue[],
  { bounds, perRow, onlyReads }: { bounds: AnswerBounds; perRow: number; onlyReads: boolean },
): RowBudget<SqliteValue[]> {
  const { statement, read, isEnd } = source;
  const take = (rows: Iterable<SqliteValue[]>) => {
    const budget = new RowBudget<SqliteValue[]>(bounds);
    for (const raw of rows) {
      if (isEnd(raw)) return { budget, ended: true };
      if (!budget.mayTake(bytesOfRow(raw))) break;
      const row = raw.map(read);
      if (!budget.take(row, perRow + sizeOfRow(row))) break;
    }
    return { budget, ended: budget.full };
  };
  if (onlyReads) {
    const { budget, ended } = take(statement.iterate(...values));
    if (ended) return budget;
  }
  return take(statement.all(...values)).budget;
}

/** Size of a row before its text is decoded. */
function bytesOfRow(row: readonly SqliteValue[]): number {
  return row.reduce<number>((sum, value) => {
    return sum + (value instanceof Uint8Array ? value.length : sizeOfSqlite(value));
  }, 0);
}

function sizeOfRow(row: readonly SqliteValue[]): number {
  return row.reduce<number>((sum, value) => sum + sizeOfSqlite(value), 0);
}
