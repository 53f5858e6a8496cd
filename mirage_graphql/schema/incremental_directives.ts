import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLSchema,
  type GraphQLSchemaConfig,
  visit,
} from "graphql";

/** Directives of incremental delivery. Responses are sent complete, as the specification allows. */
const INCREMENTAL = new Set(["defer", "stream"]);

/** The schema with these directives, by the schema without them. */
const originals = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * A schema without `@defer` and `@stream`, which graphql-js 17 rejects, or the schema itself if it
 * doesn't define them.
 */
export function withoutIncremental(graphQLSchema: GraphQLSchema): GraphQLSchema {
  const directives = graphQLSchema.getDirectives().filter(({ name }) => !INCREMENTAL.has(name));
  if (directives.length === graphQLSchema.getDirectives().length) return graphQLSchema;
  const config: GraphQLSchemaConfig = { ...graphQLSchema.toConfig(), directives };
  const copy = new GraphQLSchema(config);
  originals.set(copy, graphQLSchema);
  return copy;
}

/** The schema that documents are validated against: requests may use `@defer` if it defines it. */
export function documentSchemaOf(graphQLSchema: GraphQLSchema): GraphQLSchema {
  return originals.get(graphQLSchema) ?? graphQLSchema;
}

/** A valid document without the directives that were removed from its schema. */
export function stripIncremental(
  graphQLSchema: GraphQLSchema,
  document: DocumentNode,
): DocumentNode {
  if (!originals.has(graphQLSchema)) return document;
  return visit(document, {
    Directive: (node: DirectiveNode) => INCREMENTAL.has(node.name.value) ? null : undefined,
  });
}
