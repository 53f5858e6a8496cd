import {
  defaultTypeResolver,
  getNamedType,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isAbstractType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import { connectionShape, isList, possibleTypes } from "../graphql_types.ts";
import { toHostValue } from "../orm/host_object.ts";
import type { Orm } from "../orm/orm.ts";
import { createAutomaticResolver } from "./automatic.ts";
import type { AutomaticField, AutomaticParts } from "./automatic_parts.ts";
import { createPager } from "./connection.ts";
import type { Resolve } from "./field_call.ts";
import { whenRead } from "./parent_field.ts";
import { toResolved } from "./resolved.ts";
import { attachSubscription } from "./subscription.ts";
import { typeNameOf } from "./type_name.ts";

/**
 * Gives every field and every abstract type of the schema its resolver; the schema itself is
 * changed. What the host's own resolvers get are objects that look like Mirage's models. Returns
 * which parts are resolved without them.
 */
export function attachResolvers(orm: Orm): AutomaticParts {
  const fields = new Map<GraphQLField<unknown, unknown>, AutomaticField>();
  const types = new Set<GraphQLNamedType>();
  for (const type of Object.values(orm.graphQLSchema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isAbstractType(type) && attachTypeResolver(orm, type)) types.add(type);
    if (!isObjectType(type)) continue;
    if (attachTypeCheck(orm, type)) types.add(type);
    for (const field of Object.values(type.getFields())) {
      const automatic = attachToField(orm, type, field);
      if (automatic !== undefined) fields.set(field, automatic);
    }
  }
  return { fields, types };
}

function attachToField(
  orm: Orm,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): AutomaticField | undefined {
  if (type === orm.graphQLSchema.getSubscriptionType()) {
    attachSubscription(orm, type, field);
    return undefined;
  }
  if (field.resolve !== undefined) {
    field.resolve = withPages(orm, field, withHostValues(orm, field.resolve));
    return undefined;
  }
  const resolve = createAutomaticResolver(orm, type, field);
  if (resolve !== undefined) field.resolve = toFieldResolver(resolve);
  return needsMore(orm, type, field) ? undefined : { resolve };
}

/** Getters of models are code of the host's; fragments choose a root's single one of several types. */
function needsMore(
  { graphQLSchema, models }: Orm,
  parentType: GraphQLObjectType,
  { name, type }: GraphQLField<unknown, unknown>,
): boolean {
  if (parentType === graphQLSchema.getQueryType()) {
    return isAbstractType(getNamedType(type)) && !isList(type);
  }
  return models.ofType(parentType.name)?.getters.has(name) ?? false;
}

function toFieldResolver(resolve: Resolve): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => resolve({ source, args, context, info });
}

/** The host's resolver: its parent is shown to it, and what it returns is made ready to read. */
function withHostValues(
  orm: Orm,
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) =>
    toResolved(resolve(toHostValue(orm, source), args, context, info));
}

/** A resolver of a connection may return the whole list: the page that is asked for is cut from it. */
function withPages(
  orm: Orm,
  { type }: GraphQLField<unknown, unknown>,
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, unknown> {
  const shape = isList(type) ? undefined : connectionShape(getNamedType(type));
  if (shape === undefined) return resolve;
  const toPage = createPager(orm, possibleTypes(orm.graphQLSchema, shape.nodeType));
  return (source, args, context, info) =>
    whenRead(
      resolve(source, args, context, info),
      (value) => Array.isArray(value) ? toPage(value, args) : value,
    );
}

/** Returns whether automatic resolution alone tells the type of a value. */
function attachTypeResolver(orm: Orm, type: GraphQLAbstractType): boolean {
  const { resolveType } = type;
  type.resolveType = (value, context, info, abstractType) => {
    const chosen = resolveType?.(toHostValue(orm, value), context, info, abstractType);
    const name = chosen ?? typeNameOf(orm, value) ??
      defaultTypeResolver(toHostValue(orm, value), context, info, abstractType);
    if (name === undefined) throw untoldType(orm, type, info);
    return name;
  };
  return resolveType === undefined || resolveType === null;
}

function untoldType(
  { graphQLSchema }: Orm,
  type: GraphQLAbstractType,
  { parentType, fieldName }: GraphQLResolveInfo,
): GraphQLError {
  const names = graphQLSchema.getPossibleTypes(type).map(({ name }) => name).join(", ");
  return new GraphQLError(
    `Cannot tell which type a value of ${parentType.name}.${fieldName} has: ${type.name} is one of ` +
      `${names}. Give the value a "__typename", or write a resolver ${type.name}.__resolveType`,
  );
}

/** Returns whether a value is of the type without a check of the host's. */
function attachTypeCheck(orm: Orm, type: GraphQLObjectType): boolean {
  const { isTypeOf } = type;
  if (isTypeOf === undefined || isTypeOf === null) return true;
  type.isTypeOf = (value, context, info) => isTypeOf(toHostValue(orm, value), context, info);
  return false;
}
