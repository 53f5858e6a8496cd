import type { MockModel } from "../models/model_map.ts";
import { type Convertible, TO_RESOLVER_VALUE, type ToResolverValue } from "./convertible.ts";
import { type DatabaseRecords, MockRecord } from "./record_store.ts";

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
