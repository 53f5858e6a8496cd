import { addResolversToSchema, makeExecutableSchema } from "@graphql-tools/schema";
import { type DocumentNode, type GraphQLSchema, isSchema } from "graphql";
import { checkResolvers } from "./check_resolvers.ts";
import type { ResolverMap } from "./resolver_map.ts";

/** A part of a GraphQL schema: in the schema definition language, or parsed from it. */
export type TypeDefinitions = string | DocumentNode;

/** A GraphQL schema as the host has it; the parts of a list are merged, extensions included. */
export type GraphQLSchemaSource =
  | TypeDefinitions
  | readonly TypeDefinitions[]
  | GraphQLSchema;

/**
 * Makes an executable schema of the library's own: the one handed over is left as it was.
 *
 * @throws {TypeError} Where a resolver is for a type or field that the schema lacks.
 */
export function toExecutableSchema<Context>(
  source: GraphQLSchemaSource,
  resolvers: ResolverMap<Context> = {},
): GraphQLSchema {
  const schema = isSchema(source) ? source : parseDefinitions(source);
  return addResolversToSchema({
    schema,
    resolvers: checkResolvers(schema, resolvers),
    inheritResolversFromInterfaces: true,
  });
}

function parseDefinitions(source: Exclude<GraphQLSchemaSource, GraphQLSchema>): GraphQLSchema {
  const isOne = typeof source === "string" || "kind" in source;
  return makeExecutableSchema({ typeDefs: isOne ? source : [...source] });
}
