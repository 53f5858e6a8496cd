import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isCompositeType,
  isObjectType,
} from "graphql";
import type { Orm } from "../orm/orm.ts";
import type { Resolve } from "../arguments/call.ts";
import { isObject } from "../shared/values.ts";

/** Paths of fields that belong to a record of a type without ids, while their operation runs. */
const ofRecords = new WeakSet<GraphQLResolveInfo["path"]>();

/** Whether a value is or shows a record: all have an `id`, also if their type has no such field. */
export function isRecord(value: unknown): boolean {
  return isObject(value) && "id" in value;
}

/** Notes which objects of a field belong to a record, if the type of the record doesn't tell. */
export function withRecordPath(
  orm: Orm,
  parentType: GraphQLObjectType,
  { type }: GraphQLField<unknown, unknown>,
  resolve: Resolve,
): Resolve {
  if (hasIds(orm, parentType) || !isCompositeType(getNamedType(type))) return resolve;
  return (call) => {
    if (!call.isPlanned && isRecord(call.source)) ofRecords.add(call.info.path);
    return resolve(call);
  };
}

/** Whether a record is among the objects around a field's source, up to the nearest query type. */
export function isBelowRecord(orm: Orm, { path }: GraphQLResolveInfo): boolean {
  const { graphQLSchema } = orm;
  for (let at = path.prev; at !== undefined; at = at.prev) {
    const type = graphQLSchema.getType(at.typename ?? "");
    if (type !== undefined && type === graphQLSchema.getQueryType()) return false;
    if (ofRecords.has(at) || hasIds(orm, type)) return true;
  }
  return false;
}

function hasIds({ models }: Orm, type: GraphQLNamedType | undefined): boolean {
  return isObjectType(type) &&
    (type.getFields().id ?? models.ofType(type.name)?.key) !== undefined;
}
