import type { DocumentNode, OperationDefinitionNode } from "graphql";
import type { GraphQLRequest } from "./graphql_request.ts";

/** A query that may be answered without graphql-js's executor. */
export interface PlannableQuery {
  /** The document, which is valid. */
  readonly document: DocumentNode;
  /** The operation of it that is to be run. */
  readonly operation: OperationDefinitionNode;
  /** Values of the variables as they were sent. */
  readonly variables: GraphQLRequest["variables"];
  /** What resolvers get as their context. */
  readonly context: unknown;
}

/**
 * Answers an operation with its `data`, at once and without errors; `undefined` where graphql-js's
 * executor has to.
 */
export type AnswerQuery = (query: PlannableQuery) => Record<string, unknown> | undefined;
