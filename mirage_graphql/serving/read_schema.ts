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
import { toExecutableSchema } from "../schema/executable_schema.ts";
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
 * Parses a GraphQL schema and makes it executable.
 *
 * @throws {ServeError} If it is invalid: what is wrong, with file, line and column.
 */
export function readSchema(text: string, file: string): GraphQLSchema {
  const document = parseText(text, file);
  if (document.definitions.every(isExecutableDefinitionNode)) {
    throw toServeError(file, ["Cannot serve it: it has operations, but no types"]);
  }
  const nothing = new GraphQLSchema({ assumeValid: true });
  const problems = validate(nothing, document, RULES);
  if (problems.length > 0) throw toServeError(file, problems);
  const graphQLSchema = toSchema(document, file);
  if (!graphQLSchema.getQueryType()) {
    throw toServeError(file, ['Cannot serve it: it has no query type; add "type Query { ... }"']);
  }
  const faults = validateSchema(graphQLSchema);
  if (faults.length > 0) throw toServeError(file, faults);
  return graphQLSchema;
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

function toSchema(document: DocumentNode, file: string): GraphQLSchema {
  try {
    return toExecutableSchema(document);
  } catch (error) {
    throw toServeError(file, [error]);
  }
}
