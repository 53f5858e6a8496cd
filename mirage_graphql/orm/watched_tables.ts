import type { MirageRecord, MirageSchema, MirageTable } from "./mock_schema.ts";

/** A write to one table of the database, told once it is done. */
export interface TableWrite {
  readonly collectionName: string;
  readonly kind: "created" | "updated" | "deleted";
  /** The records as they are now; deleted ones as they were. */
  readonly records: readonly MirageRecord[];
}

/** Hears of each write, in the order in which they are done. */
export type WriteListener = (write: TableWrite) => void;

/** A table whose writes are seen, whoever makes them. */
export interface WatchedTable {
  readonly table: MirageTable;
  /** Another number each time that records were added or removed. */
  readonly members: number;
}

/** The tables of one database; every write to them is counted, and told to listeners. */
export class WatchedTables {
  readonly #tables = new Map<string, { table: MirageTable; members: number }>();
  readonly #listeners = new Set<WriteListener>();
  readonly #db: MirageSchema["db"];

  /** Starts to watch the tables of a database. */
  constructor(db: MirageSchema["db"]) {
    this.#db = db;
  }

  /** The table of a name, also one that was made later; `undefined` where there is none. */
  get(collectionName: string): WatchedTable | undefined {
    const known = this.#tables.get(collectionName);
    if (known !== undefined) return known;
    this.#watchAll();
    return this.#tables.get(collectionName);
  }

  /** Tells the listener of each write until the returned function is called. */
  listen(listener: WriteListener): () => void {
    this.#watchAll();
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #watchAll(): void {
    for (const table of this.#db._collections) {
      if (!this.#tables.has(table.name)) this.#watch(table);
    }
  }

  /** Replaces the three writing methods of the table, which all of Mirage's writes go through. */
  #watch(table: MirageTable): void {
    const watched = { table, members: 0 };
    this.#tables.set(table.name, watched);
    const { insert, update, remove } = table;
    const told = <Result>(
      kind: TableWrite["kind"],
      write: () => Result,
      records: () => MirageRecord[],
    ): Result => {
      try {
        return write();
      } finally {
        if (kind !== "updated") watched.members++;
        if (this.#listeners.size > 0) {
          this.#tell({ collectionName: table.name, kind, records: records() });
        }
      }
    };
    table.insert = (data) => {
      let inserted: MirageRecord | MirageRecord[] = [];
      const write = () => inserted = insert.call(table, data);
      return told("created", write, () => [inserted].flat());
    };
    table.update = (...args) => {
      const ids = this.#listeners.size > 0 ? targets(table, args, 2).map(({ id }) => id) : [];
      const write = () => update.apply(table, args);
      return told(
        "updated",
        write,
        () => table.where((record: MirageRecord) => ids.includes(record.id)),
      );
    };
    table.remove = (...args) => {
      const records = this.#listeners.size > 0 ? targets(table, args, 1) : [];
      return told("deleted", () => remove.apply(table, args), () => records);
    };
  }

  #tell(write: TableWrite): void {
    for (const listener of this.#listeners) listener(write);
  }
}

/** The records that a write is aimed at, as `update` and `remove` of Mirage's tables read them. */
function targets(table: MirageTable, args: readonly unknown[], whole: number): MirageRecord[] {
  const [target] = args;
  if (args.length < whole || target === undefined) return table.all();
  if (typeof target === "number" || typeof target === "string") return found(table, [target]);
  return Array.isArray(target) ? found(table, target) : table.where(target);
}

function found(table: MirageTable, ids: readonly unknown[]): MirageRecord[] {
  return ids.map((id) => table.find(String(id))).filter((record) => record !== null);
}

const watchedDatabases = new WeakMap<object, WatchedTables>();

/** The watched tables of a database; the same ones each time. */
export function watchTables(db: MirageSchema["db"]): WatchedTables {
  const known = watchedDatabases.get(db) ?? new WatchedTables(db);
  watchedDatabases.set(db, known);
  return known;
}
