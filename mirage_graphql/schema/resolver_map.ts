import type { GraphQLResolveInfo, GraphQLScalarType } from "graphql";

/** A field resolver; its parameters may be narrower, as code generators write them. */
export type FieldResolver<Context = unknown> = {
  resolve(
    obj: ResolverObject,
    args: Record<string, unknown>,
    context: Context,
    info: GraphQLResolveInfo,
  ): unknown;
}["resolve"];

/** The source of a resolver: attributes, and relations as Mirage's models and collections. */
export interface ResolverObject {
  /** An attribute, or a relation. */
  readonly [name: string]: unknown;
}

/**
 * Resolvers for the members of one type: functions for fields, `__resolveType` of an interface or
 * union, `__isTypeOf` of an object type, `{ subscribe, resolve }` for the fields of the subscription
 * type, internal values for the values of an enum.
 */
export interface TypeResolvers<Context = unknown> {
  /** A resolver, by the name of the field or of the enum's value. */
  readonly [name: string]: FieldResolver<Context> | object | string | number | boolean | undefined;
}

/**
 * User-defined resolvers: by type name, then by field name; for a scalar, the scalar itself.
 * The `Resolvers` type of GraphQL Code Generator fits.
 */
export interface ResolverMap<Context = unknown> {
  /** The resolvers of a type, by its name. */
  readonly [typeName: string]: GraphQLScalarType | TypeResolvers<Context> | undefined;
}
