import { getNamedType, type GraphQLField, type GraphQLObjectType, isCompositeType } from "graphql";
import type { Resolve } from "../arguments/call.ts";
import { createConnectionResolver, createToResult } from "../fields/connection.ts";
import { withGenerated } from "../fields/generated_value.ts";
import { createLeafResolver } from "../fields/leaf.ts";
import { createListPlan, createListResolver } from "../fields/list.ts";
import { createObjectResolver, createRootResolver } from "../fields/object.ts";
import { createFieldReader, readProperty, withMethods, withRecordPath } from "../fields/source.ts";
import {
  createMutationResolver,
  type MutationOptions,
  toMutationValue,
} from "../mutations/mutation.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { isList, isObjectList, possibleTypes } from "../schema/types.ts";
import { createSubscriptionResolver } from "../subscriptions/subscription.ts";
import type { MockOrm } from "./mock_orm.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Creates the resolver of a field by its return type: a leaf, a connection, a list or an object.
 * `undefined` if reading a property of the source is enough.
 */
export function createAutomaticResolver(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: Field,
  options: MutationOptions = {},
): Resolve | undefined {
  if (parentType === orm.graphQLSchema.getSubscriptionType()) {
    return createSubscriptionResolver(orm, parentType, field);
  }
  const own = chooseResolver(orm, parentType, field, options);
  const chosen = own && (orm.sessions?.withViewer(parentType, field, own) ?? own);
  const resolve = chosen && withMethods(orm, field, chosen, createToResult(orm, field));
  const complete = orm.conventions.defaults === "generate"
    ? withGenerated(orm, parentType, field, resolve)
    : resolve;
  return complete && withRecordPath(orm, parentType, field, complete);
}

/** Chooses by what the type of the source is, and else by what the type of the field is. */
function chooseResolver(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: Field,
  options: MutationOptions,
): Resolve | undefined {
  const named = getNamedType(field.type);
  const { engine, conventions: { connections, aggregates } } = orm;
  const parent = orm.shapeOf(parentType);
  switch (parent.kind) {
    case "mutations":
      return orm.shapeOf(named).kind === "mutations"
        ? createRootResolver(orm, parentType, field)
        : createMutation(orm, parentType, field, options);
    case "shared page":
      return isObjectList(field)
        ? engine?.createSharedListResolver(orm, parentType, field)
        : engine?.createFactResolver(orm, parentType, field);
    case "connection":
      if (named === parent.nodeType) return createNodesResolver(field);
      return connections || aggregates
        ? engine?.createFactResolver(orm, parentType, field)
        : undefined;
    case "page facts":
    case "aggregates":
    case "aggregate function":
      return engine?.createFactResolver(orm, parentType, field);
    case "connection part":
      return undefined;
    default:
      return isList(field.type)
        ? chooseForList(orm, parentType, field)
        : chooseForOne(orm, parentType, field);
  }
}

function chooseForList(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve | undefined {
  const named = getNamedType(field.type);
  if (!isCompositeType(named)) return createLeafResolver(orm, parentType, field);
  const types = possibleTypes(orm.graphQLSchema, named);
  return createListResolver(orm, createListPlan(orm, parentType, field, types));
}

function chooseForOne(
  orm: MockOrm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve | undefined {
  const named = getNamedType(field.type);
  const shape = orm.shapeOf(named);
  const { engine, conventions: { aggregates } } = orm;
  const mayCount = aggregates && (shape.kind === "leaf" || shape.kind === "aggregates");
  const count = mayCount ? engine?.createCountResolver(orm, parentType, field) : undefined;
  if (count !== undefined) return count;
  switch (shape.kind) {
    case "leaf":
      return createLeafResolver(orm, parentType, field);
    case "query":
      return createRootResolver(orm, parentType, field);
    case "connection": {
      const types = possibleTypes(orm.graphQLSchema, shape.nodeType);
      return createConnectionResolver(orm, parentType, field, types);
    }
    case "scalar connection":
      return engine?.createScalarConnectionResolver(orm, parentType, field);
    case "shared page":
      return engine?.createSharedPageResolver(orm, field);
    default: {
      const types = isCompositeType(named) ? possibleTypes(orm.graphQLSchema, named) : [];
      return createObjectResolver(orm, parentType, field, types);
    }
  }
}

/** The nodes of a page, under any name that the schema uses for them, such as `films`. */
function createNodesResolver({ name, type }: Field): Resolve | undefined {
  if (!isList(type) || name === "nodes") return undefined;
  return (call) =>
    readProperty(call.source, name, call) ?? readProperty(call.source, "nodes", call);
}

/** A value of `root` goes first; a written record is read like the records of queries. */
function createMutation(
  orm: MockOrm,
  { name }: GraphQLObjectType,
  field: Field,
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
