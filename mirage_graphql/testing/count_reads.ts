import type { createServer } from "miragejs";

/** How much was read from a database. */
export interface ReadCount {
  /** How many records were looked at. */
  records: number;
  /** How many Mirage models were created. */
  models: number;
}

/** The parts of a Mirage table and schema that all reads use. */
interface Table {
  readonly _records: readonly unknown[];
  all(...args: unknown[]): unknown;
  find(...args: unknown[]): unknown;
  where(...args: unknown[]): unknown;
}

/**
 * Counts the reads of a server's database from now on; a search counts the whole table, and a
 * search for several ids counts as several.
 */
export function countReads({ db, schema }: ReturnType<typeof createServer>): ReadCount {
  const count: ReadCount = { records: 0, models: 0 };
  const tables: readonly Table[] = Reflect.get(db, "_collections");
  for (const table of tables) {
    for (const method of ["all", "find", "where"] as const) {
      const read = table[method];
      table[method] = (...args) => {
        const searches = Array.isArray(args[0]) ? args[0].length : 1;
        count.records += searches * table._records.length;
        return read.apply(table, args);
      };
    }
  }
  const make: (...args: unknown[]) => unknown = Reflect.get(schema, "_instantiateModel");
  Reflect.set(schema, "_instantiateModel", (...args: unknown[]) => {
    count.models++;
    return make.apply(schema, args);
  });
  return count;
}
