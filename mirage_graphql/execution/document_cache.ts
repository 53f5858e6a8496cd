import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import {
  documentSchemaOf,
  isIncremental,
  stripIncremental,
} from "../schema/incremental_directives.ts";
import type { GraphQLRequest, OperationInfo } from "./graphql_request.ts";

/** A document that is ready to run. */
export interface ValidDocument {
  /** The parsed source. */
  readonly document: DocumentNode;
  /** Its operations, in their order. */
  readonly operations: readonly OperationDefinitionNode[];
  /** The document with its `@defer` and `@stream`, if it has any. */
  readonly incremental?: DocumentNode;
}

/** A document that is ready to run, or why it isn't. */
export type CheckedDocument = ValidDocument | { readonly errors: readonly GraphQLError[] };

/** Parses and validates documents, and caches them. */
export interface DocumentCache {
  /** The validated document of a source, or of a parsed document. */
  get(source: string | DocumentNode): CheckedDocument;
  /** Number of cached sources. */
  readonly size: number;
}

/** Longer sources are not cached, so that memory stays bounded. */
const MAX_CHARACTERS = 65_536;

/**
 * Caches at most `maxDocuments` valid sources in two generations: a source that is used moves to
 * the young one, and the old one is dropped as a whole when the young one is full.
 */
export function createDocumentCache(
  graphQLSchema: GraphQLSchema,
  maxDocuments = 500,
): DocumentCache {
  const perGeneration = Math.max(1, Math.floor(maxDocuments / 2));
  const parsed = new WeakMap<DocumentNode, CheckedDocument>();
  let young = new Map<string, ValidDocument>();
  let old = new Map<string, ValidDocument>();

  function remember(source: string, checked: ValidDocument): void {
    if (young.size >= perGeneration) {
      old = young;
      young = new Map();
    }
    old.delete(source);
    young.set(source, checked);
  }

  function getSource(source: string): CheckedDocument {
    const found = young.get(source);
    if (found !== undefined) return found;
    const checked = old.get(source) ?? check(graphQLSchema, source);
    if ("document" in checked && source.length <= MAX_CHARACTERS) remember(source, checked);
    return checked;
  }

  function getParsed(document: DocumentNode): CheckedDocument {
    const found = parsed.get(document) ?? check(graphQLSchema, document);
    parsed.set(document, found);
    return found;
  }

  return {
    get: (source) => typeof source === "string" ? getSource(source) : getParsed(source),
    get size() {
      return young.size + old.size;
    },
  };
}

function check(graphQLSchema: GraphQLSchema, source: string | DocumentNode): CheckedDocument {
  try {
    const document = typeof source === "string" ? parse(source) : source;
    const hasParts = isIncremental(source);
    const errors = validate(hasParts ? documentSchemaOf(graphQLSchema) : graphQLSchema, document);
    if (errors.length > 0) return { errors };
    const executable = hasParts ? stripIncremental(document) : document;
    const operations = executable.definitions.filter(isOperation);
    return { document: executable, operations, ...(hasParts && { incremental: document }) };
  } catch (error) {
    return { errors: [toGraphQLError(error)] };
  }
}

/** A document can also be nested so deeply that the parser's stack overflows. */
function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new GraphQLError(`Cannot read the document: ${reason}`);
}

/** Whether a definition is an operation, not a fragment. */
export function isOperation(node: { readonly kind: string }): node is OperationDefinitionNode {
  return node.kind === Kind.OPERATION_DEFINITION;
}

/** The operation to execute, or the error if there is none, with graphql-js's messages. */
export function selectOperation(
  { operations }: ValidDocument,
  name: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const [first, second] = operations;
  if (name !== undefined && name !== null) {
    return operations.find((operation) => operation.name?.value === name) ??
      unselected(`Unknown operation named "${name}".`);
  }
  if (first === undefined) return unselected("Must provide an operation.");
  if (second === undefined) return first;
  return unselected("Must provide operation name if query contains multiple operations.");
}

function unselected(message: string): GraphQLError {
  return new GraphQLError(message);
}

/** What the log, latency and planned failures need of an operation. */
export function infoOf(
  operation: OperationDefinitionNode,
  request: Pick<GraphQLRequest, "variables">,
): OperationInfo {
  return {
    name: operation.name?.value,
    type: operation.operation,
    variables: request.variables ?? NO_VARIABLES,
  };
}

const NO_VARIABLES: Readonly<Record<string, unknown>> = Object.freeze({});
