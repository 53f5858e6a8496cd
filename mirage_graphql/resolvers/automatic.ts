import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isLeafType,
} from "graphql";
import { isObject } from "../orm/mirage.ts";
import type { Orm } from "../orm/orm.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { connectionShape, isConnectionPart, isList, possibleTypes } from "../schema/type_shapes.ts";
import { isAggregateType, isFunctionType } from "../schema/aggregate_shapes.ts";
import { isScalarConnection } from "../schema/scalar_connections.ts";
import { isObjectList, isSharedPage } from "../schema/shared_pages.ts";
import { isFactType } from "../schema/wrapper_shapes.ts";
import { createConnectionResolver } from "./connection.ts";
import { conventionRules } from "./convention_rules.ts";
import { createLeafResolver } from "./leaf.ts";
import { withGenerated } from "./generated_value.ts";
import { createListPlan, createListResolver } from "./list.ts";
import { createMutationResolver, type MutationOptions } from "./mutation.ts";
import { createObjectResolver, createRootResolver } from "./object.ts";
import { toMutationValue } from "./perform_mutation.ts";
import type { Resolve } from "./resolver_call.ts";
import { createFieldReader, readProperty } from "./source.ts";
import { createSubscriptionResolver } from "./subscription.ts";

/**
 * Creates the resolver of a field by its return type: a leaf, a connection, a list or an object.
 * `undefined` if reading a property of the source is enough.
 */
export function createAutomaticResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions = {},
): Resolve | undefined {
  return withGenerated(orm, parentType, field, chooseResolver(orm, parentType, field, options));
}

function chooseResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions,
): Resolve | undefined {
  if (parentType === orm.graphQLSchema.getSubscriptionType()) {
    return createSubscriptionResolver(orm, parentType, field);
  }
  const named = getNamedType(field.type);
  if (orm.mutationTypes.has(parentType)) {
    return orm.mutationTypes.has(named)
      ? createRootResolver(orm, parentType, field)
      : createMutation(orm, parentType, field, options);
  }
  const { connections, aggregates } = orm.conventions;
  if (connections && isSharedPage(parentType)) {
    return isObjectList(field)
      ? conventionRules().createSharedListResolver(orm, parentType, field)
      : conventionRules().createFactResolver(parentType, field);
  }
  if (connections && isScalarConnection(named) && !isList(field.type)) {
    return conventionRules().createScalarConnectionResolver(orm, parentType, field);
  }
  if (connections && isSharedPage(named) && !isList(field.type)) {
    return conventionRules().createSharedPageResolver(orm, field, named);
  }
  const isFact = connections && isFactType(parentType) ||
    aggregates && (isAggregateType(parentType) || isFunctionType(parentType));
  if (isFact) return conventionRules().createFactResolver(parentType, field);
  if (isConnectionPart(parentType)) return undefined;
  const parentShape = connectionShape(parentType);
  if (parentShape) {
    if (named === parentShape.nodeType) return createNodesResolver(field);
    return connections || aggregates
      ? conventionRules().createFactResolver(parentType, field)
      : undefined;
  }
  const count = aggregates && (isLeafType(named) || isAggregateType(named))
    ? conventionRules().createCountResolver(orm, parentType, field)
    : undefined;
  if (count !== undefined) return count;
  if (isLeafType(named)) return createLeafResolver(orm, parentType, field);
  if (!isCompositeType(named)) return undefined;
  if (named === orm.graphQLSchema.getQueryType()) {
    return createRootResolver(orm, parentType, field);
  }
  const connection = isList(field.type) ? undefined : connectionShape(named);
  if (connection !== undefined) {
    const types = possibleTypes(orm.graphQLSchema, connection.nodeType);
    return createConnectionResolver(orm, parentType, field, types);
  }
  const types = possibleTypes(orm.graphQLSchema, named);
  if (!isList(field.type)) return createObjectResolver(orm, parentType, field, types);
  return createListResolver(orm, createListPlan(orm, parentType, field, types));
}

/** The nodes of a page, under any name that the schema uses for them, such as `films`. */
function createNodesResolver({ name, type }: GraphQLField<unknown, unknown>): Resolve | undefined {
  if (!isList(type) || name === "nodes") return undefined;
  return (call) => {
    if (!isObject(call.source)) return undefined;
    return readProperty(call.source, name, call) ?? readProperty(call.source, "nodes", call);
  };
}

/** The written record is read like the records of queries. */
function createMutation(
  orm: Orm,
  { name }: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions,
): Resolve {
  const rules = orm.conventions.writes ? conventionRules().createWriteRules(orm) : undefined;
  const context = rules === undefined ? orm : { ...orm, nested: rules.nested };
  const mutate = createMutationResolver(field, context, { ...options, parentName: name, rules });
  return (call) =>
    toMutationValue(
      mutate(call.args, call),
      ({ model, record }) => new MockRecord(model, record),
      (source, name, model) => createFieldReader(orm, model, name)({ ...call, source, args: {} }),
    );
}
