import type { DocumentNode, OperationDefinitionNode } from "graphql";
import type { GraphQLRequest } from "./graphql_request.ts";

/** An operation that graphql-js is about to run. */
export interface PendingOperation {
  /** The document, which is valid. */
  readonly document: DocumentNode;
  /** The operation of it that is to be run. */
  readonly operation: OperationDefinitionNode;
  /** Values of the variables as they were sent. */
  readonly variables: GraphQLRequest["variables"];
  /** What resolvers get as their context. */
  readonly context: unknown;
}

/** Answers an operation at once and without errors; `undefined` where graphql-js has to. */
export type AnswerQuery = (pending: PendingOperation) => Record<string, unknown> | undefined;
