import { isObject } from "../../shared/values.ts";
import { isMirageCollection, type MirageRecord } from "../mirage/mirage_schema.ts";
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

/**
 * The key of the method that converts an object with records to what user-defined resolvers
 * receive.
 */
export const TO_RESOLVER_VALUE: unique symbol = Symbol("to resolver value");

/** Converts a value to what user-defined resolvers receive. */
export type ToResolverValue = (value: unknown) => unknown;

/** An object with records that can be converted, such as a page of them. */
export interface Convertible {
  /** What user-defined code receives, with its records converted by the function. */
  [TO_RESOLVER_VALUE](show: ToResolverValue): unknown;
}

/** Whether an object with records can be converted. */
export function isConvertible(value: object): value is Convertible {
  return TO_RESOLVER_VALUE in value;
}

/** The database's own records of one model; other code gets copies of them. */
export interface RecordsOfModel {
  readonly model: MockModel;
  readonly records: DatabaseRecords;
}

/** Values of a source, of any model or none. */
interface Values {
  readonly model?: undefined;
  readonly records: readonly unknown[];
}

/** Whether a record, or a value of a source, is to be in a list. */
export type IsListed = (record: unknown, model: MockModel | undefined) => boolean;

/**
 * A list of database records, or of values of a source. Iteration copies records one by one, so that
 * only few copies of a long list are in memory at once; a query plan reads the records themselves.
 */
export class RecordList implements Iterable<unknown>, Convertible {
  readonly length: number;
  readonly #parts: readonly (RecordsOfModel | Values)[];

  /**
   * Stores the contents.
   *
   * @param including The list with those besides that arguments exclude; none are excluded without it.
   */
  constructor(
    parts: readonly (RecordsOfModel | Values)[],
    readonly including?: ((isListed: IsListed) => RecordList) | undefined,
  ) {
    this.#parts = parts;
    this.length = parts.reduce((sum, { records }) => sum + records.length, 0);
  }

  *[Symbol.iterator](): Generator<unknown, void, undefined> {
    for (const { model, records } of this.#parts) {
      if (model === undefined) yield* records;
      else for (const record of records) yield new MockRecord(model, record);
    }
  }

  /** Applies a function, which must not pass a record on, to the database's own records. */
  mapOwn<Value>(each: (record: unknown, model: MockModel | undefined) => Value): Value[] {
    const lists = this.#parts.map(({ model, records }) =>
      records.map((record: unknown) => each(record, model))
    );
    return lists.length > 1 ? lists.flat() : lists[0] ?? [];
  }

  /** Copies the records from one position up to another. */
  slice(start: number, end: number): readonly unknown[] {
    let offset = 0;
    return this.#parts.flatMap(({ model, records }) => {
      const from = Math.max(0, start - offset);
      const to = Math.max(0, end - offset);
      offset += records.length;
      return model === undefined
        ? records.slice(from, to)
        : records.slice(from, to).map((record) => new MockRecord(model, record));
    });
  }

  [TO_RESOLVER_VALUE](show: ToResolverValue): unknown {
    return this.slice(0, this.length).map(show);
  }
}

/** The ids in a foreign key: plain ones, or the `{ type, id }` of polymorphic relations. */
export function foreignIds(key: unknown): readonly unknown[] {
  if (key === null || key === undefined) return [];
  return Array.isArray(key) ? key : [key];
}

/** An array, or the models of a Mirage collection; `undefined` for other values. */
export function toArray(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  if (Array.isArray(value)) return value;
  return isMirageCollection(value) ? value.models : undefined;
}
