import { MockRecord } from "../orm/records/record_store.ts";
import type { RecordsOfModel } from "./list.ts";

/** What a cursor encodes of a node. */
export interface NodeIdentity {
  readonly typeName: string;
  readonly id: string;
}

/** A list of which only one page is returned. */
export interface PagedList {
  readonly length: number;
  /** Position of a node from the start of the list; `undefined` if the list doesn't contain it. */
  positionOf(node: NodeIdentity): number | undefined;
  /** The nodes from one position up to another. */
  slice(start: number, end: number): readonly unknown[];
}

/** A list of a source's values. */
export class ValueList implements PagedList {
  readonly length: number;

  /** Stores the values, and how to identify a node. */
  constructor(
    private readonly values: readonly unknown[],
    private readonly identify: (node: unknown) => NodeIdentity,
  ) {
    this.length = values.length;
  }

  positionOf(wanted: NodeIdentity): number | undefined {
    return found(this.values.findIndex((value) => {
      const { typeName, id } = this.identify(value);
      return id === wanted.id && typeName === wanted.typeName;
    }));
  }

  slice(start: number, end: number): readonly unknown[] {
    return this.values.slice(start, end);
  }
}

/** A list of records, grouped by model; only those of a page are copied. */
export class RecordList implements PagedList {
  readonly length: number;

  /** Stores the database's own records. */
  constructor(private readonly parts: readonly RecordsOfModel[]) {
    this.length = parts.reduce((sum, { records }) => sum + records.length, 0);
  }

  positionOf(wanted: NodeIdentity): number | undefined {
    let offset = 0;
    for (const { model, records } of this.parts) {
      if (model.typeName === wanted.typeName) {
        const position = found(records.findIndex(({ id }) => id === wanted.id));
        if (position !== undefined) return offset + position;
      }
      offset += records.length;
    }
    return undefined;
  }

  slice(start: number, end: number): readonly unknown[] {
    let offset = 0;
    return this.parts.flatMap(({ model, records }) => {
      const from = Math.max(0, start - offset);
      const to = Math.max(0, end - offset);
      offset += records.length;
      return records.slice(from, to).map((record) => new MockRecord(model, record));
    });
  }
}

function found(position: number): number | undefined {
  return position === -1 ? undefined : position;
}
