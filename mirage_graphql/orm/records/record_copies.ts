import type { MirageRecord } from "../mirage.ts";
import type { MockModel } from "../models/model_map.ts";
import { type Convertible, TO_RESOLVER_VALUE, type ToResolverValue } from "../resolver_object.ts";
import { type DatabaseRecords, MockRecord } from "./record_store.ts";

/** The database's own records of one model; other code gets copies of them. */
export interface RecordsOfModel {
  readonly model: MockModel;
  readonly records: DatabaseRecords;
}

/**
 * A list of database records. Iteration copies them one by one, so that only few copies of a long
 * list are in memory at once; a query plan reads the records themselves.
 */
export class RecordCopies implements Iterable<MockRecord>, Convertible {
  readonly #parts: readonly RecordsOfModel[];

  /** Stores the database's own records. */
  constructor(parts: readonly RecordsOfModel[]) {
    this.#parts = parts;
  }

  *[Symbol.iterator](): Generator<MockRecord, void, undefined> {
    for (const { model, records } of this.#parts) {
      for (const record of records) yield new MockRecord(model, record);
    }
  }

  /** Applies a function, which must not pass the record on, to the database's own records. */
  mapOwn<Value>(each: (record: Readonly<MirageRecord>, model: MockModel) => Value): Value[] {
    const lists = this.#parts.map(({ model, records }) =>
      records.map((record) => each(record, model))
    );
    return lists.length > 1 ? lists.flat() : lists[0] ?? [];
  }

  [TO_RESOLVER_VALUE](show: ToResolverValue): unknown {
    return this.mapOwn((record, model) => show(new MockRecord(model, record)));
  }
}
