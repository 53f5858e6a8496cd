import {
  DirectiveLocation,
  type DirectiveNode,
  type DocumentNode,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  visit,
} from "graphql";

/** Directives of incremental delivery, which graphql 16 and 17 don't both export. */
export const DEFER: GraphQLDirective = new GraphQLDirective({
  name: "defer",
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    if: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true },
    label: { type: GraphQLString },
  },
});

/** The other one, for the fields that are lists. */
export const STREAM: GraphQLDirective = new GraphQLDirective({
  name: "stream",
  locations: [DirectiveLocation.FIELD],
  args: {
    if: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: true },
    label: { type: GraphQLString },
    initialCount: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 0 },
  },
});

const INCREMENTAL = new Set(["defer", "stream"]);

/** The schemas that documents are validated against, by the schemas that are executed. */
const documentSchemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

/**
 * A schema without `@defer` and `@stream`, which graphql-js 17 refuses to execute, or the schema
 * itself if it doesn't define them.
 */
export function withoutIncremental(graphQLSchema: GraphQLSchema): GraphQLSchema {
  const directives = graphQLSchema.getDirectives().filter(({ name }) => !INCREMENTAL.has(name));
  if (directives.length === graphQLSchema.getDirectives().length) return graphQLSchema;
  return new GraphQLSchema({ ...graphQLSchema.toConfig(), directives });
}

/** The schema with these directives: requests may use them, whether or not it defines them. */
export function documentSchemaOf(graphQLSchema: GraphQLSchema): GraphQLSchema {
  const known = documentSchemas.get(graphQLSchema);
  if (known !== undefined) return known;
  const config = graphQLSchema.toConfig();
  const directives = [...config.directives, DEFER, STREAM];
  const extended = new GraphQLSchema({ ...config, directives, assumeValid: true });
  documentSchemas.set(graphQLSchema, extended);
  return extended;
}

/** Whether a document has one of these directives. */
export function isIncremental(source: string | DocumentNode): boolean {
  if (typeof source === "string") return /@(defer|stream)\b/.test(source);
  let found = false;
  visit(source, {
    Directive: (node: DirectiveNode) => void (found ||= INCREMENTAL.has(node.name.value)),
  });
  return found;
}

/** A valid document without these directives, whose response is complete at once. */
export function stripIncremental(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: (node: DirectiveNode) => INCREMENTAL.has(node.name.value) ? null : undefined,
  });
}
