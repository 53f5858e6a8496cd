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
  const parts = toParts(source);
  if (parts.length === 0 || parts.some((part) => !isDefinitions(part))) {
    throw new TypeError(
      `Cannot use ${nameOf(source)} as the GraphQL schema: it must be text in the schema ` +
        "definition language, a document, a list of these, or a GraphQLSchema of the same graphql",
    );
  }
  return makeExecutableSchema({ typeDefs: parts });
}

function toParts(source: Exclude<GraphQLSchemaSource, GraphQLSchema>): TypeDefinitions[] {
  return typeof source === "object" && source !== null && !("kind" in source)
    ? Array.from(source)
    : [source];
}

/** What comes from JavaScript may be anything; text of nothing but spaces defines nothing. */
function isDefinitions(part: unknown): boolean {
  if (typeof part === "string") return part.trim() !== "";
  return typeof part === "object" && part !== null && "kind" in part;
}

function nameOf(source: unknown): string {
  if (typeof source === "string") return `"${source}"`;
  if (Array.isArray(source)) return source.length === 0 ? "an empty list" : "this list";
  return typeof source === "object" && source !== null ? "this object" : `"${source}"`;
}
