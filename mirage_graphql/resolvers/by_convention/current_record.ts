import { getNullableType, type GraphQLField, type GraphQLObjectType } from "graphql";
import { wordsOf } from "../../names.ts";
import { isObject } from "../../orm/mirage.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { isPromiseLike } from "../../values.ts";
import type { ResolverCall } from "../../arguments/call.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Finds the record that a mutation writes if no argument identifies it: `customerUpdate(input)`
 * updates the one that the root field `customer` returns. `undefined` unless exactly one root field
 * without arguments returns a record of the model, and the mutation is named after the model or
 * that field.
 */
export function createCurrentId(
  { graphQLSchema }: Orm,
  { name }: Field,
  { typeName }: MockModel,
): ((call: ResolverCall | undefined) => string | undefined) | undefined {
  const queryType = graphQLSchema.getQueryType();
  const fields = Object.values(queryType?.getFields() ?? {});
  const [field, ...others] = fields.filter(({ type, args }) =>
    args.length === 0 && String(getNullableType(type)) === typeName
  );
  if (!queryType || field === undefined || others.length > 0) return undefined;
  const words = wordsOf(name).join(" ");
  const isNamed = [typeName, field.name].some((one) => words.includes(wordsOf(one).join(" ")));
  return isNamed ? (call) => call && idOf(queryType, field, call) : undefined;
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
