import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { Orm } from "../orm/orm.ts";
import { leafDefault } from "../schema/leaf_default.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { isPromiseLike } from "../shared/values.ts";
import type { Resolve } from "../arguments/call.ts";
import { createFieldReader } from "./source.ts";

/** Creates a value for a field whose source has none. */
export type Generate = () => unknown;

/**
 * Plans the value of a non-null field whose source has none, for the option `defaults: "generate"`:
 * an empty list, zero, a text with the field's name, or an object whose own non-null fields are
 * generated in turn. `undefined` where `null` is allowed, for mutations and subscriptions, and where
 * a record is needed, which reading can't create.
 */
export function createGenerate(
  orm: Orm,
  parentType: GraphQLObjectType,
  { name, type }: GraphQLField<unknown, unknown>,
): Generate | undefined {
  const { graphQLSchema, models, mutationTypes } = orm;
  const isOperation = mutationTypes.has(parentType) ||
    parentType === graphQLSchema.getSubscriptionType();
  if (!isNonNullType(type) || isOperation) return undefined;
  if (isList(type)) return () => [];
  const named = getNamedType(type);
  if (isLeafType(named)) {
    const value = leafDefault(named, name);
    return () => value;
  }
  if (!isObjectType(named) && !isAbstractType(named)) return undefined;
  const [embedded] = possibleTypes(graphQLSchema, named)
    .filter((member) =>
      models.ofType(member.name) === undefined || member.getFields().id === undefined
    );
  return embedded && (() => ({ __typename: embedded.name }));
}

/** Resolves a field, and generates its value if it has none but must not be `null`. */
export function withGenerated(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  resolve: Resolve | undefined,
): Resolve | undefined {
  const generate = createGenerate(orm, parentType, field);
  if (generate === undefined) return resolve;
  const read = resolve ?? createFieldReader(orm, orm.models.ofType(parentType.name), field.name);
  return (call) => {
    const value = read(call);
    return isPromiseLike(value)
      ? value.then((sourceValue) => sourceValue ?? generate())
      : value ?? generate();
  };
}
