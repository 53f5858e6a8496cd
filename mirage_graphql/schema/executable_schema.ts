import { addResolversToSchema } from "@graphql-tools/schema";
import { type DocumentNode, type GraphQLSchema, isSchema } from "graphql";
import { type CheckedResolvers, checkResolvers } from "./check_resolvers.ts";
import {
  buildDefinitions,
  buildIntrospection,
  type OnIgnored,
  tolerate,
} from "./lenient_schema.ts";
import type { ResolverMap } from "./resolver_map.ts";

/** A part of a GraphQL schema: in the schema definition language, or parsed from it. */
export type TypeDefinitions = string | DocumentNode;

/** The result of an introspection query, such as a parsed `schema.json`. */
export type IntrospectionResult =
  | { readonly __schema: object }
  | { readonly data: { readonly __schema: object } };

/**
 * A GraphQL schema in any form that users may have; the parts of a list are merged, including
 * extensions.
 */
export type GraphQLSchemaSource =
  | TypeDefinitions
  | readonly TypeDefinitions[]
  | IntrospectionResult
  | GraphQLSchema;

/** How a schema is built. */
export interface SchemaOptions {
  /** Called with the ignored parts of the schema, a line for each. */
  readonly onIgnored?: OnIgnored;
}

/**
 * Creates an executable schema; the source is not changed.
 *
 * @throws {TypeError} If the source is not a schema, or a resolver is for a type or field that the
 * schema lacks.
 */
export function toExecutableSchema<Context>(
  source: GraphQLSchemaSource,
  resolvers: ResolverMap<Context> = {},
  { onIgnored = () => {} }: SchemaOptions = {},
): GraphQLSchema {
  const schema = isSchema(source) ? source : build(source, onIgnored);
  const checked = checkResolvers(schema, resolvers);
  const isOwn = schema !== source && Object.keys(resolvers).length === 0;
  return tolerate(isOwn ? schema : copyWith(schema, checked), onIgnored);
}

/** A copy of a schema, with resolvers. */
function copyWith(
  schema: GraphQLSchema,
  resolvers: CheckedResolvers,
): GraphQLSchema {
  return addResolversToSchema({ schema, resolvers, inheritResolversFromInterfaces: true });
}

function build(
  source: Exclude<GraphQLSchemaSource, GraphQLSchema>,
  onIgnored: OnIgnored,
): GraphQLSchema {
  const introspection = introspectionOf(source);
  if (introspection !== undefined) return buildIntrospection(introspection);
  const parts: readonly unknown[] = Array.isArray(source) && source.length > 0 ? source : [source];
  return buildDefinitions(parts.map(checkDefinitions), onIgnored);
}

/** Whether a value is the result of an introspection query, or a response with one. */
export function isIntrospection(source: unknown): source is IntrospectionResult {
  return introspectionOf(source) !== undefined;
}

function introspectionOf(source: unknown): object | undefined {
  if (typeof source !== "object" || source === null) return undefined;
  if ("__schema" in source) return source;
  return "data" in source ? introspectionOf(source.data) : undefined;
}

/** Reports what a failed import leaves behind, such as `undefined`. */
function checkDefinitions(part: unknown): TypeDefinitions {
  if (isDefinitions(part)) return part;
  throw new TypeError(
    `Cannot use "${part}" as the GraphQL schema: it must be text in the schema definition ` +
      "language, a parsed document, a list of these, the result of an introspection query, or a " +
      "GraphQLSchema of the same graphql",
  );
}

function isDefinitions(part: unknown): part is TypeDefinitions {
  if (typeof part === "string") return part.trim() !== "";
  return typeof part === "object" && part !== null && "kind" in part;
}
