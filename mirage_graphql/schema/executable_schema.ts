import { addResolversToSchema, makeExecutableSchema } from "@graphql-tools/schema";
import { type DocumentNode, type GraphQLSchema, isSchema } from "graphql";
import { checkResolvers } from "./check_resolvers.ts";
import type { ResolverMap } from "./resolver_map.ts";

/** A part of a GraphQL schema: in the schema definition language, or parsed from it. */
export type TypeDefinitions = string | DocumentNode;

/** A GraphQL schema as users have it; the parts of a list are merged, including extensions. */
export type GraphQLSchemaSource =
  | TypeDefinitions
  | readonly TypeDefinitions[]
  | GraphQLSchema;

/**
 * Creates an executable schema; the source stays as it is.
 *
 * @throws {TypeError} If the source is not a schema, or a resolver is for a type or field that the
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

/** Reports what a failed import leaves behind, such as `undefined`. */
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
