import type { GraphQLObjectType } from "graphql";
import { isObject } from "../orm/mirage.ts";
import type { Orm } from "../orm/orm.ts";
import type { RecordsOfModel } from "../orm/records/record_copies.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { idFormatOf } from "../orm/record_ids.ts";
import { decodeCursor } from "../relay/cursor.ts";
import { parseGlobalId } from "../relay/global_id.ts";
import { type PageArgs, type PageSlice, sliceOf } from "../relay/page.ts";
import { typeNameOf } from "./source.ts";

/** The parts of a node that a cursor encodes. */
export interface NodeIdentity {
  readonly typeName: string;
  readonly id: string;
}

/** A node to look for. */
export type CursorNode = Pick<NodeIdentity, "id"> & Partial<NodeIdentity>;

/** A list of which only one page is returned. */
export interface PagedList {
  readonly length: number;
  /**
   * Position of a node from the start of the list; `undefined` if the list doesn't contain it. A
   * node without a type is the first with its id.
   */
  positionOf(node: CursorNode): number | undefined;
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

  positionOf(target: CursorNode): number | undefined {
    return found(this.values.findIndex((value) => {
      const { typeName, id } = this.identify(value);
      return id === target.id && typeName === (target.typeName ?? typeName);
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

  positionOf(target: CursorNode): number | undefined {
    let offset = 0;
    for (const { model, records } of this.parts) {
      if (model.typeName === (target.typeName ?? model.typeName)) {
        const position = found(records.findIndex(({ id }) => id === target.id));
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

/** Identifies a node of a page. */
export type Identify = (node: unknown) => NodeIdentity;

/**
 * Identifies the nodes of some types. Cursors of an abstract type's nodes contain the type of each
 * node, because ids repeat between models.
 */
export function createIdentify(orm: Orm, types: readonly GraphQLObjectType[]): Identify {
  const typeName = types.length === 1 ? types[0]?.name : undefined;
  return (node) => {
    const id = isObject(node) ? String(node.id) : "";
    return { typeName: typeName ?? typeNameOf(orm, node) ?? "", id };
  };
}

/**
 * The part of a list that a page contains. With the convention of paging, an id is also a cursor;
 * if unknown arguments are ignored, so is an unknown cursor.
 */
export function pageSlice(orm: Orm, list: PagedList, args: PageArgs): PageSlice {
  const { conventions } = orm;
  const positionOf = (cursor: string) => {
    const target = decodeCursor(cursor);
    const position = target && list.positionOf(target);
    if (position !== undefined || !conventions.paging) return position;
    return list.positionOf(parseGlobalId(idFormatOf(orm), cursor) ?? { id: cursor });
  };
  if (conventions.unknownArguments === "error") return sliceOf(list.length, args, positionOf);
  const { after, before, position, ...others } = args;
  const cursors = Object.entries({ after, before, position })
    .filter(([, cursor]) => typeof cursor === "string" && positionOf(cursor) !== undefined);
  return sliceOf(list.length, { ...others, ...Object.fromEntries(cursors) }, positionOf);
}

function found(position: number): number | undefined {
  return position === -1 ? undefined : position;
}
