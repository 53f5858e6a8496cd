import type { MirageRecord, MirageSchema, MirageTable } from "../mirage.ts";
import { isObject } from "../mirage.ts";

/** A write to one table of the database, told once it is done. */
export interface TableWrite {
  readonly collectionName: string;
  readonly kind: "created" | "updated" | "deleted";
  /**
   * Copies of the records: made ones as they were made, deleted ones as they were. Updated ones are
   * of no certain age, as Mirage changes some before it writes them.
   */
  readonly records: readonly MirageRecord[];
}

/** Hears of each write, in the order in which they are done. It must not throw. */
export type WriteListener = (write: TableWrite) => void;

/** A table whose writes are seen, whoever makes them. */
export interface TrackedTable {
  readonly table: MirageTable;
  /** Another number each time that records were added or removed. */
  readonly version: number;
}

/** The writing methods of a table, with all that the host may call them with. */
interface WritingMethods {
  insert(data: unknown): unknown;
  update(...args: unknown[]): unknown;
  remove(...args: unknown[]): unknown;
}

/** The tables of one database; every write to them is counted, and told to listeners. */
export class TableWrites {
  readonly #tables = new Map<string, { table: MirageTable; version: number }>();
  readonly #listeners = new Set<WriteListener>();
  readonly #db: MirageSchema["db"];

  /** Starts to watch the tables of a database. */
  constructor(db: MirageSchema["db"]) {
    this.#db = db;
  }

  /** How many listeners there are. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** The table of a name, also one that was made later; `undefined` where there is none. */
  get(collectionName: string): TrackedTable | undefined {
    const known = this.#tables.get(collectionName);
    if (known !== undefined) return known;
    this.#trackAll();
    return this.#tables.get(collectionName);
  }

  /** Tells the listener of each write until the returned function is called. */
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
   * Replaces the three writing methods of the table, which all of Mirage's writes go through. What
   * they do is looked for only while somebody listens, and told also where they throw half-way.
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

/** The records that an update is aimed at, as Mirage's tables read it. */
function updatedRecords(
  table: MirageTable,
  [target, attributes]: readonly unknown[],
): MirageRecord[] {
  if (attributes === undefined) return table.all();
  if (typeof target === "number" || typeof target === "string") return found(table, [target]);
  if (Array.isArray(target)) return found(table, target);
  if (!isObject(target)) return [];
  const wanted = Object.entries(target);
  return table.where((record) =>
    wanted.every(([name, value]) => String(record[name]) === String(value))
  );
}

function found(table: MirageTable, ids: readonly unknown[]): MirageRecord[] {
  return ids.map((id) => table.find(String(id))).filter((record) => record !== null);
}

/** The table's own records: its way to find some passes each to a function, uncopied. */
function recordsOf(table: MirageTable): MirageRecord[] {
  const records: MirageRecord[] = [];
  table.where((record) => {
    records.push(record);
    return false;
  });
  return records;
}

/** Which records are gone is looked for, as Mirage removes the last one for an unknown id. */
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
