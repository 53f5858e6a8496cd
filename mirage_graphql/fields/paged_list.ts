import type { GraphQLObjectType } from "graphql";
import { isObject } from "../orm/mirage.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { RecordsOfModel } from "../orm/records/record_copies.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { idFormatOf } from "../orm/record_ids.ts";
import { decodeCursor } from "../relay/cursor.ts";
import { parseGlobalId } from "../relay/global_id.ts";
import { type PageArgs, type PageSlice, sliceOf } from "../relay/page.ts";
import { typeNameOf } from "../orm/records/related.ts";

/** The parts of a node that a cursor encodes. */
export interface NodeIdentity {
  readonly typeName: string;
  readonly id: string;
}

/** A node to look for; one without a type is the first with its id. */
export type CursorNode = Pick<NodeIdentity, "id"> & Partial<NodeIdentity>;

/** Whether a node is one to look for. */
type IsNode = (node: NodeIdentity) => boolean;

/** Identifies a node of a page; `model` is that of a record of the database. */
export type Identify = (node: unknown, model?: MockModel) => NodeIdentity;

/** The contents of a list before anything is copied, grouped by model. */
export type Listed =
  & (
    | { readonly kind: "records"; readonly parts: readonly RecordsOfModel[] }
    | { readonly kind: "values"; readonly values: readonly unknown[] }
  )
  & {
    /** The contents with one that the arguments exclude; `undefined` if they exclude none. */
    readonly including?: ((isTarget: IsNode) => Listed) | undefined;
  };

/** A list of which only one page is returned, and only the records of that page are copied. */
export class PagedList {
  readonly length: number;
  readonly #parts: readonly (RecordsOfModel | Values)[];

  /** Stores the contents, and how to identify a node. */
  constructor(private readonly listed: Listed, private readonly identify: Identify) {
    this.#parts = listed.kind === "values" ? [{ records: listed.values }] : listed.parts;
    this.length = this.#parts.reduce((sum, { records }) => sum + records.length, 0);
  }

  /** The list as it would be with a node that the arguments exclude. */
  including(isTarget: IsNode): PagedList | undefined {
    const listed = this.listed.including?.(isTarget);
    return listed && new PagedList(listed, this.identify);
  }

  /** What identifies the nodes, in order. */
  identities(): readonly NodeIdentity[] {
    return this.#parts.flatMap(({ model, records }) =>
      records.map((one) => this.identify(one, model))
    );
  }

  /** The nodes from one position up to another. */
  slice(start: number, end: number): readonly unknown[] {
    let offset = 0;
    return this.#parts.flatMap(({ model, records }) => {
      const from = Math.max(0, start - offset);
      const to = Math.max(0, end - offset);
      offset += records.length;
      return model
        ? records.slice(from, to).map((record) => new MockRecord(model, record))
        : records.slice(from, to);
    });
  }
}

interface Values {
  readonly model?: undefined;
  readonly records: readonly unknown[];
}

/**
 * Identifies the nodes of some types. Cursors of an abstract type's nodes contain the type of each
 * node, because ids repeat between models.
 */
export function createIdentify(orm: Orm, types: readonly GraphQLObjectType[]): Identify {
  const typeName = types.length === 1 ? types[0]?.name : undefined;
  return (node, model) => {
    const id = isObject(node) ? String(node.id) : "";
    return { typeName: typeName ?? model?.typeName ?? typeNameOf(orm, node) ?? "", id };
  };
}

/**
 * The part of a list that a page contains. With the convention of paging, an id is also a cursor. A
 * node that the arguments exclude keeps its place, and one that was deleted has that of its id.
 */
export function pageSlice(orm: Orm, list: PagedList, args: PageArgs): PageSlice {
  return sliceOf(list.length, args, (cursor) => {
    const decoded = decodeCursor(cursor);
    const position = decoded && positionIn(list, decoded);
    if (position !== undefined || !orm.conventions.paging) return position;
    return positionIn(list, parseGlobalId(idFormatOf(orm), cursor) ?? { id: cursor });
  });
}

/** The position of a node, or its place between those of a list; `undefined` if that is unknown. */
function positionIn(list: PagedList, target: CursorNode): number | undefined {
  const isOfType: IsNode = ({ typeName }) => typeName === (target.typeName ?? typeName);
  const isTarget: IsNode = (node) => node.id === target.id && isOfType(node);
  const nodes = list.identities();
  const index = nodes.findIndex(isTarget);
  if (index >= 0) return index;
  const excluded = list.including(isTarget)?.identities().findIndex(isTarget) ?? -1;
  if (excluded >= 0) return excluded - 0.5;
  const ids = nodes.filter(isOfType).map(({ id }) => id);
  for (const isBefore of [isLess, (one: string, other: string) => isLess(other, one)]) {
    const place = ids.filter((id) => isBefore(id, target.id)).length;
    const all = ids.toSpliced(place, 0, target.id);
    const isOrdered = ids.every((_, at) => isBefore(all[at]!, all[at + 1]!));
    if (isOrdered && ids.length > 0) return nodes.findIndex(isOfType) + place - 0.5;
  }
  return undefined;
}

/** Whether an id comes before another: as numbers, or as texts if neither is one. */
function isLess(one: string, other: string): boolean {
  const areTexts = Number.isNaN(Number(one)) && Number.isNaN(Number(other));
  return areTexts ? one < other : Number(one) < Number(other);
}
