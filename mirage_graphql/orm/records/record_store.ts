import type { MirageRecord } from "../mirage/mirage_schema.ts";
import type { MockModel, ModelMap } from "../models/model_map.ts";
import type { TableWrites, TrackedTable } from "./table_writes.ts";

/** Key of the model of a record. */
export const MODEL: unique symbol = Symbol("mirage model");

/** A copy of a database record that knows its model. Read only. */
export class MockRecord {
  /** The model whose record it is. */
  readonly [MODEL]: MockModel;
  /** Attributes and foreign keys. */
  readonly [name: string]: unknown;

  /** Copies a record. The model comes first, so that V8 keeps it in the object itself. */
  constructor(model: MockModel, record: Readonly<MirageRecord>) {
    this[MODEL] = model;
    Object.assign(this, record);
  }
}

/** The database's own records, not copies. */
export type DatabaseRecords = readonly Readonly<MirageRecord>[];

/** How many single lookups of a table are made before an index pays off. */
const LOOK_UPS_BEFORE_INDEX = 8;

/**
 * Reads the records of one model. The list of records and the position of each id are cached
 * between requests until a record is added or removed; attributes are read each time.
 */
export class RecordReader {
  readonly #model: MockModel;
  readonly #tables: TableWrites;
  #tracked: TrackedTable | undefined;
  #version = -1;
  #lookUps = 0;
  #records: DatabaseRecords | undefined;
  #byId: ReadonlyMap<unknown, Readonly<MirageRecord>> | undefined;

  /** Starts with nothing read. */
  constructor(model: MockModel, tables: TableWrites) {
    this.#model = model;
    this.#tables = tables;
  }

  /**
   * The records that match, or all of them, in the order of the table. They belong to the database
   * and must not be changed; pass a copy, a {@linkcode MockRecord}, to other code.
   */
  select(fits?: (record: Readonly<MirageRecord>) => boolean): DatabaseRecords {
    const records = this.#read();
    return fits === undefined ? records : records.filter(fits);
  }

  /** The first record that matches. */
  first(fits: (record: Readonly<MirageRecord>) => boolean = () => true): MockRecord | undefined {
    const record = this.#read().find(fits);
    return record && new MockRecord(this.#model, record);
  }

  /** The record with an id, or `undefined`. */
  find(id: unknown): MockRecord | undefined {
    const record = this.own(id);
    return record && new MockRecord(this.#model, record);
  }

  /**
   * The record with an id, or `undefined`. It belongs to the database, or shares its values, and
   * must not be changed.
   */
  own(key: unknown): Readonly<MirageRecord> | undefined {
    const id = String(key);
    const tracked = this.#current();
    if (this.#byId === undefined && this.#lookUps++ < LOOK_UPS_BEFORE_INDEX) {
      return tracked?.table.find(id) ?? undefined;
    }
    this.#byId ??= new Map(this.#read().map((record) => [record.id, record]));
    return this.#byId.get(id);
  }

  /**
   * `where()` passes each record to the function before it copies any, so that they are not copied.
   */
  #read(): DatabaseRecords {
    const tracked = this.#current();
    if (this.#records !== undefined) return this.#records;
    const records: MirageRecord[] = [];
    tracked?.table.where((record: MirageRecord) => {
      records.push(record);
      return false;
    });
    return this.#records = records;
  }

  #current(): TrackedTable | undefined {
    this.#tracked ??= this.#tables.get(this.#model.collectionName);
    const members = this.#tracked?.version ?? -1;
    if (members !== this.#version) {
      this.#version = members;
      this.#lookUps = 0;
      this.#records = this.#byId = undefined;
    }
    return this.#tracked;
  }
}

/** The readers of one database's models. */
export class RecordStore {
  readonly #readers = new Map<MockModel, RecordReader>();
  readonly #tables: TableWrites;

  /** Starts with nothing read. */
  constructor(tables: TableWrites) {
    this.#tables = tables;
  }

  /** The reader of a model; the same one each time. */
  of(model: MockModel): RecordReader {
    const known = this.#readers.get(model);
    if (known !== undefined) return known;
    const reader = new RecordReader(model, this.#tables);
    this.#readers.set(model, reader);
    return reader;
  }
}

/** What is needed to look records up. */
export interface Records {
  readonly models: ModelMap;
  readonly store: RecordStore;
}
