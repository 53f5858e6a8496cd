import {
  type DocumentNode,
  GraphQLSchema,
  isExecutableDefinitionNode,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  LoneSchemaDefinitionRule,
  parse,
  PossibleTypeExtensionsRule,
  Source,
  UniqueArgumentDefinitionNamesRule,
  UniqueDirectiveNamesRule,
  UniqueEnumValueNamesRule,
  UniqueFieldDefinitionNamesRule,
  UniqueOperationTypesRule,
  UniqueTypeNamesRule,
  validate,
  validateSchema,
  type ValidationContext,
} from "graphql";
import {
  type IntrospectionResult,
  isIntrospection,
  type SchemaOptions,
  toExecutableSchema,
} from "../schema/executable_schema.ts";
import { toServeError } from "./serve_error.ts";

/**
 * These rules report locations; graphql-js's own check of schema documents reports only messages.
 */
const RULES = [
  KnownDirectivesRule,
  KnownTypeNamesRule,
  LoneSchemaDefinitionRule,
  PossibleTypeExtensionsRule,
  UniqueArgumentDefinitionNamesRule,
  UniqueDirectiveNamesRule,
  UniqueEnumValueNamesRule,
  UniqueFieldDefinitionNamesRule,
  UniqueOperationTypesRule,
  UniqueTypeNamesRule,
].map((rule) => (context: ValidationContext) => Reflect.apply(rule, undefined, [context]));

/**
 * Reads a GraphQL schema, in the schema definition language or as the result of an introspection
 * query, and makes it executable.
 *
 * @throws {ServeError} If it is invalid: what is wrong, with file, line and column.
 */
export function readSchema(
  text: string,
  file: string,
  options: SchemaOptions = {},
): GraphQLSchema {
  const source = text.trimStart().startsWith("{") ? readJson(text, file) : undefined;
  const graphQLSchema = source === undefined
    ? buildDocument(parseText(text, file), file, options)
    : buildResult(source, file, options);
  if (!graphQLSchema.getQueryType()) {
    throw toServeError(file, ['Cannot serve it: it has no query type; add "type Query { ... }"']);
  }
  const faults = validateSchema(graphQLSchema);
  if (faults.length > 0) throw toServeError(file, faults);
  return graphQLSchema;
}

/** An introspection result; `undefined` for the shorthand of a query, which is no JSON. */
function readJson(text: string, file: string): IntrospectionResult | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isIntrospection(value)) return value;
  throw toServeError(file, [
    "Cannot serve it: the JSON has no __schema, as the result of an introspection query has",
  ]);
}

function buildDocument(
  document: DocumentNode,
  file: string,
  options: SchemaOptions,
): GraphQLSchema {
  if (document.definitions.every(isExecutableDefinitionNode)) {
    throw toServeError(file, ["Cannot serve it: it has operations, but no types"]);
  }
  try {
    return toExecutableSchema(document, {}, options);
  } catch (error) {
    const problems = validate(new GraphQLSchema({ assumeValid: true }), document, RULES);
    throw toServeError(file, problems.length > 0 ? problems : [error]);
  }
}

function buildResult(
  source: IntrospectionResult,
  file: string,
  options: SchemaOptions,
): GraphQLSchema {
  try {
    return toExecutableSchema(source, {}, options);
  } catch (error) {
    throw toServeError(file, [error]);
  }
}

function parseText(text: string, file: string): DocumentNode {
  if (text.replaceAll(/#.*|[\s,]/g, "") === "") {
    throw toServeError(file, ["Cannot serve it: the file is empty"]);
  }
  try {
    return parse(new Source(text, file));
  } catch (error) {
    throw toServeError(file, [error]);
  }
}
