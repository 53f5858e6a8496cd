import { type GraphQLSchema, isObjectType } from "graphql";
import { mockGraphQLFieldResolver, type ResolverMap } from "../mod.ts";

/** A resolver for every field of a schema, which returns what automatic resolution would. */
export function delegateAll(schema: GraphQLSchema): ResolverMap {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
    .filter(({ name }) => !name.startsWith("__"));
  return Object.fromEntries(types.map((type) => [
    type.name,
    Object.fromEntries(
      Object.keys(type.getFields()).map((name) => [name, mockGraphQLFieldResolver]),
    ),
  ]));
}
