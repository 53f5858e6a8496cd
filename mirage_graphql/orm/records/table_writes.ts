import type { MirageRecord, MirageSchema, MirageTable } from "../mirage/mirage_schema.ts";
import { isObject } from "../../shared/values.ts";

/** A write to one table of the database, reported after it is done. */
export interface TableWrite {
  readonly collectionName: string;
  readonly kind: "created" | "updated" | "deleted";
  /**
   * Copies of the records: created ones as they were created, deleted ones as they were. Updated
   * ones may be old or new, because Mirage changes some before it writes them.
   */
  readonly records: readonly MirageRecord[];
}

/** Called for each write, in order. It must not throw. */
export type WriteListener = (write: TableWrite) => void;

/** A table whose writes are tracked, whatever makes them. */
export interface TrackedTable {
  readonly table: MirageTable;
  /** Changes each time records are added or removed. */
  readonly version: number;
}

/** The writing methods of a table, with all arguments that callers may pass. */
interface WritingMethods {
  insert(data: unknown): unknown;
  update(...args: unknown[]): unknown;
  remove(...args: unknown[]): unknown;
}

/** The tables of one database; counts every write and notifies listeners. */
export class TableWrites {
  readonly #tables = new Map<string, { table: MirageTable; version: number }>();
  readonly #listeners = new Set<WriteListener>();
  readonly #db: MirageSchema["db"];

  /** Prepares tracking of the tables of a database. */
  constructor(db: MirageSchema["db"]) {
    this.#db = db;
  }

  /** How many listeners there are. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** The table with a name, even if it was created later; `undefined` if there is none. */
  get(collectionName: string): TrackedTable | undefined {
    const known = this.#tables.get(collectionName);
    if (known !== undefined) return known;
    this.#trackAll();
    return this.#tables.get(collectionName);
  }

  /** Notifies the listener of each write until the returned function is called. */
  listen(listener: WriteListener): () => void {
    this.#trackAll();
    const own: WriteListener = (write) => listener(write);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #trackAll(): void {
    for (const table of this.#db._collections) {
      if (!this.#tables.has(table.name)) this.#track(table);
    }
  }

  /**
   * Replaces the three writing methods of the table, which all of Mirage's writes go through. The
   * affected records are determined only while there are listeners, and reported even if the method
   * throws half-way.
   */
  #track(table: MirageTable): void {
    const tracked = { table, version: 0 };
    this.#tables.set(table.name, tracked);
    const writing: WritingMethods = table;
    const { insert, update, remove } = writing;
    writing.insert = (data) => {
      if (Array.isArray(data)) return data.map((one) => writing.insert(one));
      const inserted = insert.call(table, data);
      tracked.version++;
      this.#notify(table, "created", () => isObject(inserted) ? [inserted] : []);
      return inserted;
    };
    writing.update = (...args) => {
      const records = this.#listeners.size > 0 ? updatedRecords(table, args) : [];
      try {
        return update.apply(table, args);
      } finally {
        this.#notify(table, "updated", () => records);
      }
    };
    writing.remove = (...args) => {
      const before = this.#listeners.size > 0 ? recordsOf(table) : [];
      try {
        return remove.apply(table, args);
      } finally {
        tracked.version++;
        this.#notify(table, "deleted", () => missingRecords(table, before));
      }
    };
  }

  #notify(table: MirageTable, kind: TableWrite["kind"], read: () => readonly MirageRecord[]): void {
    if (this.#listeners.size === 0) return;
    const records = read();
    if (records.length === 0) return;
    const write = { collectionName: table.name, kind, records };
    for (const listener of [...this.#listeners]) listener(write);
  }
}

/** The records that an update applies to, as Mirage's tables interpret its arguments. */
function updatedRecords(
  table: MirageTable,
  [target, attributes]: readonly unknown[],
): MirageRecord[] {
  if (attributes === undefined) return table.all();
  if (typeof target === "number" || typeof target === "string") return found(table, [target]);
  if (Array.isArray(target)) return found(table, target);
  if (!isObject(target)) return [];
  const expected = Object.entries(target);
  return table.where((record) =>
    expected.every(([name, value]) => String(record[name]) === String(value))
  );
}

function found(table: MirageTable, ids: readonly unknown[]): MirageRecord[] {
  return ids.map((id) => table.find(String(id))).filter((record) => record !== null);
}

/** The table's own records, because `where()` passes each to the function before it copies any. */
function recordsOf(table: MirageTable): MirageRecord[] {
  const records: MirageRecord[] = [];
  table.where((record) => {
    records.push(record);
    return false;
  });
  return records;
}

/**
 * Deleted records are determined by comparison, because Mirage removes the last one if the id is
 * unknown.
 */
function missingRecords(table: MirageTable, before: readonly MirageRecord[]): MirageRecord[] {
  const left = new Set(recordsOf(table));
  return before.filter((record) => !left.has(record)).map((record) => ({ ...record }));
}

const trackedDatabases = new WeakMap<object, TableWrites>();

/** The tracked tables of a database; the same ones each time. */
export function trackWrites(db: MirageSchema["db"]): TableWrites {
  const known = trackedDatabases.get(db) ?? new TableWrites(db);
  trackedDatabases.set(db, known);
  return known;
}
