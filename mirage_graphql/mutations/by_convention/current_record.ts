import { getNullableType, type GraphQLField, type GraphQLObjectType } from "graphql";
import type { ResolverCall } from "../../arguments/call.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { fieldsOf } from "../../schema/types.ts";
import { isObject, isPromiseLike } from "../../shared/values.ts";

type Field = GraphQLField<unknown, unknown>;

/** The record of a model that belongs to whoever calls, such as `viewer` or `activeOrder`. */
export interface CurrentRecord {
  /** Name of the root field that returns it. */
  readonly fieldName: string;
  /** Its id; `undefined` if the field returns none. */
  idFor(call: ResolverCall | undefined): string | undefined;
}

/**
 * The record that the only root field without arguments returns; `undefined` unless exactly one
 * such field returns a record of the model.
 */
export function currentRecord(
  { graphQLSchema }: Orm,
  { typeName }: MockModel,
): CurrentRecord | undefined {
  const queryType = graphQLSchema.getQueryType();
  const [field, ...others] = fieldsOf(queryType).filter(({ type, args }) =>
    args.length === 0 && String(getNullableType(type)) === typeName
  );
  if (!queryType || field === undefined || others.length > 0) return undefined;
  return {
    fieldName: field.name,
    idFor: (call) => call && idOf(queryType, field, call),
  };
}

function idOf(
  parentType: GraphQLObjectType,
  { resolve, name: fieldName, type: returnType }: Field,
  { context, info }: ResolverCall,
): string | undefined {
  const own = { ...info, parentType, fieldName, returnType };
  const record = resolve?.(undefined, {}, context, own);
  if (!isObject(record) || isPromiseLike(record)) return undefined;
  return record.id === undefined || record.id === null ? undefined : String(record.id);
}
