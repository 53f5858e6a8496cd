import {
  concatAST,
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
} from "graphql";
import { definitionRules } from "../shared/graphql_versions.ts";
import {
  type IntrospectionResult,
  isIntrospection,
  type SchemaOptions,
  toExecutableSchema,
} from "../schema/executable_schema.ts";
import type { ReadFile } from "./schema_files.ts";
import { toServeError } from "./serve_error.ts";

/**
 * These rules report locations; graphql-js's own check of schema documents reports only messages.
 */
const RULES = definitionRules([
  KnownDirectivesRule,
  KnownTypeNamesRule,
  LoneSchemaDefinitionRule,
  PossibleTypeExtensionsRule,
]);

/** Several files may define one type: they are merged. */
const RULES_OF_ONE = definitionRules([
  UniqueArgumentDefinitionNamesRule,
  UniqueDirectiveNamesRule,
  UniqueEnumValueNamesRule,
  UniqueFieldDefinitionNamesRule,
  UniqueOperationTypesRule,
  UniqueTypeNamesRule,
]);

/**
 * Reads a GraphQL schema, in the schema definition language or as the result of an introspection
 * query, and makes it executable. Several files are merged; operations in them are ignored.
 *
 * @throws {ServeError} If it is invalid: what is wrong, with file, line and column.
 */
export function readSchema(
  files: readonly ReadFile[],
  options: SchemaOptions = {},
): GraphQLSchema {
  const label = files.length === 1 ? files[0]?.path ?? "" : `${files.length} files`;
  const graphQLSchema = buildFiles(files, label, options);
  if (!graphQLSchema.getQueryType()) {
    throw toServeError(label, ['Cannot serve it: it has no query type; add "type Query { ... }"']);
  }
  const faults = validateSchema(graphQLSchema);
  if (faults.length > 0) throw toServeError(label, faults);
  return graphQLSchema;
}

function buildFiles(
  files: readonly ReadFile[],
  label: string,
  options: SchemaOptions,
): GraphQLSchema {
  for (const file of files) {
    const result = file.text.trimStart().startsWith("{") ? readJson(file) : undefined;
    if (result === undefined) continue;
    if (files.length === 1) return buildResult(result, label, options);
    throw toServeError(file.path, [
      "Cannot serve it with other files: an introspection result is a whole schema",
    ]);
  }
  return buildDocuments(files.map(parseFile), label, options);
}

function buildResult(
  result: IntrospectionResult,
  label: string,
  options: SchemaOptions,
): GraphQLSchema {
  try {
    return toExecutableSchema(result, {}, options);
  } catch (error) {
    throw toServeError(label, [error]);
  }
}

/** An introspection result; `undefined` for the shorthand of a query, which is not JSON. */
function readJson({ text, path }: ReadFile): IntrospectionResult | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isIntrospection(value)) return value;
  throw toServeError(path, [
    "Cannot serve it: the JSON has no __schema, unlike the result of an introspection query",
  ]);
}

function buildDocuments(
  documents: readonly DocumentNode[],
  label: string,
  options: SchemaOptions,
): GraphQLSchema {
  const parts = documents.map(withoutOperations).filter(({ definitions }) =>
    definitions.length > 0
  );
  if (parts.length === 0) {
    throw toServeError(label, ["Cannot serve it: it has operations, but no types"]);
  }
  try {
    return toExecutableSchema(parts, {}, options);
  } catch (error) {
    const rules = parts.length === 1 ? [...RULES, ...RULES_OF_ONE] : RULES;
    const problems = validate(new GraphQLSchema({ assumeValid: true }), concatAST(parts), rules);
    throw toServeError(label, problems.length > 0 ? problems : [error]);
  }
}

/** A folder may contain the operations of an app in addition to its types. */
function withoutOperations(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.filter((one) => !isExecutableDefinitionNode(one));
  return { ...document, definitions };
}

function parseFile({ text, path }: ReadFile): DocumentNode {
  if (text.replaceAll(/#.*|[\s,]/g, "") === "") {
    throw toServeError(path, ["Cannot serve it: the file is empty"]);
  }
  try {
    return parse(new Source(text, path));
  } catch (error) {
    throw toServeError(path, [error]);
  }
}
