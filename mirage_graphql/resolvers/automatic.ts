import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isLeafType,
} from "graphql";
import { isMirageModel } from "../orm/mirage.ts";
import { isModelMember } from "../orm/models/association_names.ts";
import type { Orm } from "../orm/orm.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { methodOwner } from "../orm/resolver_object.ts";
import { connectionShape, isConnectionPart, isList, possibleTypes } from "../schema/type_shapes.ts";
import { isAggregateType, isFunctionType } from "../schema/aggregate_shapes.ts";
import { isScalarConnection } from "../schema/scalar_connections.ts";
import { isObjectList, isSharedPage } from "../schema/shared_pages.ts";
import { isFactType } from "../schema/wrapper_shapes.ts";
import { propertyOf } from "../values.ts";
import { createConnectionResolver, createToResult } from "./connection.ts";
import { withGenerated } from "./by_convention/generated_value.ts";
import type { MockOrm } from "./convention_rules.ts";
import { createLeafResolver } from "./leaf.ts";
import { createListPlan, createListResolver } from "./list.ts";
import { createMutationResolver, type MutationOptions } from "./mutation.ts";
import { createObjectResolver, createRootResolver } from "./object.ts";
import { toMutationValue } from "./perform_mutation.ts";
import { withRecordPath } from "./record_path.ts";
import type { Resolve } from "./resolver_call.ts";
import { createFieldReader, readProperty } from "./source.ts";
import { createSubscriptionResolver } from "./subscription.ts";

/**
 * Creates the resolver of a field by its return type: a leaf, a connection, a list or an object.
 * `undefined` if reading a property of the source is enough.
 */
export function createAutomaticResolver(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions = {},
): Resolve | undefined {
  if (parentType === orm.graphQLSchema.getSubscriptionType()) {
    return createSubscriptionResolver(orm, parentType, field);
  }
  const chosen = chooseResolver(orm, parentType, field, options);
  const resolve = chosen && withMethods(orm, field, chosen);
  const complete = orm.conventions.defaults === "generate"
    ? withGenerated(orm, parentType, field, resolve)
    : resolve;
  return complete && withRecordPath(orm, parentType, field, complete);
}

/**
 * Resolves a field with the method of its source that has the field's name, if there is one. It has
 * used the arguments, so that nothing else uses them.
 */
function withMethods(orm: Orm, field: GraphQLField<unknown, unknown>, resolve: Resolve): Resolve {
  const { name, type } = field;
  const named = getNamedType(type);
  // global ids are encoded, and pages of scalars are cut, whatever they come from
  if (named.name === "ID" || isScalarConnection(named)) return resolve;
  const toResult = createToResult(orm, field);
  const isHidden = isModelMember(name);
  return (call) => {
    const owner = methodOwner(orm, call.source, name);
    const isMember = owner === undefined || isHidden && isMirageModel(owner);
    const method: unknown = isMember ? undefined : propertyOf(owner, name)?.value;
    return typeof method === "function"
      ? toResult(method.call(owner, call.args, call.context, call.info), call.args)
      : resolve(call);
  };
}

function chooseResolver(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions,
): Resolve | undefined {
  const named = getNamedType(field.type);
  if (orm.mutationTypes.has(parentType)) {
    return orm.mutationTypes.has(named)
      ? createRootResolver(orm, parentType, field)
      : createMutation(orm, parentType, field, options);
  }
  const { engine } = orm;
  const connections = orm.conventions.connections && engine !== undefined;
  const aggregates = orm.conventions.aggregates && engine !== undefined;
  if (connections && isSharedPage(parentType)) {
    return isObjectList(field)
      ? engine.createSharedListResolver(orm, parentType, field)
      : engine.createFactResolver(parentType, field);
  }
  if (connections && isScalarConnection(named) && !isList(field.type)) {
    return engine.createScalarConnectionResolver(orm, parentType, field);
  }
  if (connections && isSharedPage(named) && !isList(field.type)) {
    return engine.createSharedPageResolver(orm, field, named);
  }
  const isFact = connections && isFactType(parentType) ||
    aggregates && (isAggregateType(parentType) || isFunctionType(parentType));
  if (isFact) return engine.createFactResolver(parentType, field);
  if (isConnectionPart(parentType)) return undefined;
  const parentShape = connectionShape(parentType);
  if (parentShape) {
    if (named === parentShape.nodeType) return createNodesResolver(field);
    return connections || aggregates ? engine.createFactResolver(parentType, field) : undefined;
  }
  const count = aggregates && (isLeafType(named) || isAggregateType(named))
    ? engine.createCountResolver(orm, parentType, field)
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
  return (call) =>
    readProperty(call.source, name, call) ?? readProperty(call.source, "nodes", call);
}

/** A value of `root` goes first; a written record is read like the records of queries. */
function createMutation(
  orm: MockOrm,
  { name }: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  options: MutationOptions,
): Resolve {
  const own = { ...options, parentName: name, rules: orm.writes };
  const mutate = createMutationResolver(field, orm, own);
  return (call) =>
    readProperty(call.source, field.name, call) ?? toMutationValue(
      mutate(call.args, call),
      ({ model, record }) => new MockRecord(model, record),
      (source, name, model) => createFieldReader(orm, model, name)({ ...call, source, args: {} }),
    );
}
