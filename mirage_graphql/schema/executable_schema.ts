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
 * @throws {TypeError} Where the source is no schema, or a resolver is for a type or field that the
 * schema lacks.
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
  const parts: readonly unknown[] = Array.isArray(source) && source.length > 0 ? source : [source];
  return makeExecutableSchema({ typeDefs: parts.map(checkDefinitions) });
}

/** What a failed import leaves behind, such as `undefined`, is told as such. */
function checkDefinitions(part: unknown): TypeDefinitions {
  if (isDefinitions(part)) return part;
  throw new TypeError(
    `Cannot use "${part}" as the GraphQL schema: it must be text in the schema definition ` +
      "language, a parsed document, a list of these, or a GraphQLSchema of the same graphql",
  );
}

function isDefinitions(part: unknown): part is TypeDefinitions {
  if (typeof part === "string") return part.trim() !== "";
  return typeof part === "object" && part !== null && "kind" in part;
}
