import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isLeafType,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { connectionShape, isConnectionPart, isList, possibleTypes } from "../graphql_types.ts";
import { copyValue } from "../orm/copy_value.ts";
import type { Orm } from "../orm/orm.ts";
import { createConnectionResolver } from "./connection.ts";
import { MockRecord } from "../orm/record_store.ts";
import type { Resolve } from "./field_call.ts";
import { createListPlan, createListResolver } from "./list.ts";
import { createMutationResolver, type MutationOptions } from "./mutation.ts";
import { toMutationValue } from "./mutation_result.ts";
import { createObjectResolver } from "./object.ts";
import { createMissingValue } from "./missing_value.ts";
import { createFieldReader } from "./parent_field.ts";

/**
 * Picks the resolver of a field by what it returns: a leaf, a connection, a list or an object.
 * `undefined` where reading the parent's property is all there is to do.
 */
export function createAutomaticResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions = {},
): Resolve | undefined {
  if (parentType === orm.graphQLSchema.getMutationType()) {
    return createMutation(orm, field, options);
  }
  const named = getNamedType(field.type);
  if (isConnectionPart(parentType) || connectionShape(parentType)) return undefined;
  if (isLeafType(named)) return createLeafResolver(orm, parentType, field);
  if (!isCompositeType(named)) return undefined;
  const connection = isList(field.type) ? undefined : connectionShape(named);
  if (connection !== undefined) {
    const types = possibleTypes(orm.graphQLSchema, connection.nodeType);
    return createConnectionResolver(orm, parentType, field, types);
  }
  const types = possibleTypes(orm.graphQLSchema, named);
  if (!isList(field.type)) return createObjectResolver(orm, parentType, field, types);
  return createListResolver(orm, createListPlan(orm, parentType, field, types));
}

/** The record that a mutation wrote is read on as those of queries are. */
function createMutation(
  orm: Orm,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions,
): Resolve {
  const mutate = createMutationResolver(field, orm, options);
  return ({ args }) =>
    toMutationValue(mutate(args), ({ model, record }) => new MockRecord(model, record));
}

/**
 * Leaves are properties of their parent, which graphql-js reads. Getters of the host's models are
 * asked for; values of the host's own scalars are copied, as they may be objects; and where a list or
 * a field at the root must not be missing the error says why it is.
 */
function createLeafResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve | undefined {
  const model = orm.models.ofType(parentType.name);
  const isAtRoot = parentType === orm.graphQLSchema.getQueryType();
  const missing = isAtRoot || isList(field.type)
    ? createMissingValue(orm, parentType, field)
    : undefined;
  const named = getNamedType(field.type);
  const mayBeObject = isScalarType(named) && !isSpecifiedScalarType(named);
  if (missing === undefined && !mayBeObject && !model?.getters.has(field.name)) return undefined;
  const read = createFieldReader(orm, model, field.name);
  return (call) => {
    const value = read(call);
    if (missing && (value === undefined || value === null)) throw missing(call.source);
    return mayBeObject ? copyValue(value) : value;
  };
}
