import type { GraphQLObjectType } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { RecordList } from "../orm/records/record_store.ts";
import { idFormatOf } from "../orm/records/record_ids.ts";
import { decodeCursor } from "../relay/cursor.ts";
import { parseGlobalId } from "../relay/global_id.ts";
import { type PageArgs, type PageSlice, sliceOf } from "../relay/page.ts";
import { typeNameOf } from "../orm/records/related.ts";
import { isObject } from "../shared/values.ts";

/** The parts of a node that a cursor encodes. */
export interface NodeIdentity {
  readonly typeName: string;
  readonly id: string;
}

/** A node to look for; one without a type is the first with its id. */
type CursorNode = Pick<NodeIdentity, "id"> & Partial<NodeIdentity>;

/** Identifies a node of a page; `model` is that of a record of the database. */
export type Identify = (node: unknown, model?: MockModel) => NodeIdentity;

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
export function pageSlice(
  orm: Orm,
  list: RecordList,
  args: PageArgs,
  identify: Identify,
): PageSlice {
  const positionOf = (node: CursorNode) => positionIn(list, node, identify);
  return sliceOf(list.length, args, (cursor) => {
    const decoded = decodeCursor(cursor);
    const position = decoded && positionOf(decoded);
    if (position !== undefined || !orm.conventions.paging) return position;
    return positionOf(parseGlobalId(idFormatOf(orm), cursor) ?? { id: cursor });
  });
}

/** The position of a node, or its place between those of a list; `undefined` if that is unknown. */
function positionIn(list: RecordList, target: CursorNode, identify: Identify): number | undefined {
  const isOfType = ({ typeName }: NodeIdentity) => typeName === (target.typeName ?? typeName);
  const isTarget = (node: NodeIdentity) => node.id === target.id && isOfType(node);
  const indexIn = (nodes: readonly NodeIdentity[] = []) => nodes.findIndex(isTarget);
  const nodes = list.mapOwn(identify);
  const index = indexIn(nodes);
  if (index >= 0) return index;
  const whole = list.including?.((record, model) => isTarget(identify(record, model)));
  const excluded = indexIn(whole?.mapOwn(identify));
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
