import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isAbstractType,
  isCompositeType,
  isIntrospectionType,
} from "graphql";
import { createToResult } from "../fields/connection.ts";
import {
  isPlannable,
  type PlannableField,
  type PlannableFields,
} from "../fields/plannable_fields.ts";
import { toFieldResolver, withRecordPath } from "../fields/source.ts";
import type { Orm } from "../orm/orm.ts";
import { createRelated, typeNameOf } from "../orm/records/related.ts";
import { toResolverValue } from "../orm/resolver_object.ts";
import { attachSubscription } from "../subscriptions/subscription.ts";
import { createAutomaticResolver } from "./automatic.ts";
import { addFieldResolvers } from "./field_resolver.ts";

/**
 * Attaches a resolver to every field and every abstract type of the schema, which is changed.
 * User-defined resolvers receive objects that look like Mirage's models. Returns the parts of the
 * schema that are resolved without user-defined code.
 */
export function attachResolvers(orm: Orm): PlannableFields {
  addFieldResolvers(orm);
  const fields = new Map<GraphQLField<unknown, unknown>, PlannableField>();
  const types = new Set<GraphQLNamedType>();
  for (const type of Object.values(orm.graphQLSchema.getTypeMap())) {
    if (isIntrospectionType(type) || !isCompositeType(type)) continue;
    if (isAutomatic(type)) types.add(type);
    if (isAbstractType(type)) attachTypeResolver(orm, type);
    else attachToObject(orm, type, fields);
  }
  return { fields, types };
}

/** Whether the type of a value is determined without user-defined code. */
function isAutomatic(type: GraphQLCompositeType): boolean {
  const check = isAbstractType(type) ? type.resolveType : type.isTypeOf;
  return check === undefined || check === null;
}

function attachToObject(
  orm: Orm,
  type: GraphQLObjectType,
  automatic: Map<GraphQLField<unknown, unknown>, PlannableField>,
): void {
  attachTypeCheck(orm, type);
  const isSubscription = type === orm.graphQLSchema.getSubscriptionType();
  for (const field of Object.values(type.getFields())) {
    if (isSubscription) attachSubscription(orm, type, field);
    else if (field.resolve !== undefined) attachUserResolver(orm, type, field, field.resolve);
    else {
      const resolve = createAutomaticResolver(orm, type, field);
      if (resolve !== undefined) field.resolve = toFieldResolver(resolve);
      if (isPlannable(orm, type, field)) {
        automatic.set(field, { resolve, related: createRelated(orm, type, field) });
      }
    }
  }
}

/** A user-defined resolver: its source is converted, and its result is made readable. */
function attachUserResolver(
  orm: Orm,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  resolve: GraphQLFieldResolver<unknown, unknown>,
): void {
  const toResult = createToResult(orm, field);
  field.resolve = toFieldResolver(withRecordPath(
    orm,
    type,
    field,
    ({ source, args, context, info }) =>
      toResult(resolve(toResolverValue(orm, source), args, context, info), args),
  ));
}

function attachTypeResolver(orm: Orm, type: GraphQLAbstractType): void {
  const { resolveType } = type;
  type.resolveType = (value, context, info, abstractType) => {
    const chosen = resolveType?.(toResolverValue(orm, value), context, info, abstractType);
    const name = chosen ?? typeNameOf(orm, value) ??
      defaultTypeResolver(toResolverValue(orm, value), context, info, abstractType);
    if (name === undefined) throw unknownType(orm, type, info);
    return name;
  };
}

function unknownType(
  { graphQLSchema }: Orm,
  type: GraphQLAbstractType,
  { parentType, fieldName }: GraphQLResolveInfo,
): GraphQLError {
  const names = graphQLSchema.getPossibleTypes(type).map(({ name }) => name).join(", ");
  return new GraphQLError(
    `Cannot determine the type of a value of ${parentType.name}.${fieldName}: ${type.name} is one ` +
      `of ${names}. Give the value a "__typename", or write a resolver ${type.name}.__resolveType`,
  );
}

function attachTypeCheck(orm: Orm, type: GraphQLObjectType): void {
  const { isTypeOf } = type;
  if (isTypeOf === undefined || isTypeOf === null) return;
  type.isTypeOf = (value, context, info) => isTypeOf(toResolverValue(orm, value), context, info);
}
