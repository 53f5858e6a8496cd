import type { Mock } from "../mock/mock.ts";
import type { MirageRecord, MirageTable } from "../orm/mirage/mirage_schema.ts";
import { copyRecord, isObject } from "../shared/values.ts";

/** The records that a mock had before its first request. */
export interface FirstRecords {
  /** Those of a table. */
  of(tableName: string): readonly MirageRecord[];
}

/** Keeps copies of all records when `keep()` is called for the first time. */
export function createFirstRecords(
  { db }: Pick<Mock, "db">,
): FirstRecords & { keep(): void } {
  let first: ReadonlyMap<string, readonly MirageRecord[]> | undefined;
  return {
    keep() {
      // Mirage's copies share their lists of ids
      first ??= new Map(tablesOf(db).map((table) => [table.name, table.all().map(copyRecord)]));
    },
    of: (tableName) => first?.get(tableName) ?? [],
  };
}

function tablesOf(db: object): readonly MirageTable[] {
  return isObject(db) && Array.isArray(db._collections) ? db._collections : [];
}
