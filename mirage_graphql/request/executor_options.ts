import type { DocumentNode } from "graphql";
import type { AnswerQuery } from "./answer_query.ts";
import type { GraphQLRequest, MockRequest } from "./graphql_request.ts";
import type { Latency } from "./latency.ts";
import type { ContextOption } from "./request_context.ts";

/** How operations are run. */
export interface ExecutionOptions {
  /** Parent of the fields at the root. */
  readonly root?: unknown;
  /** What resolvers find in their context: an object, or a function of the request. */
  readonly context?: ContextOption;
  /**
   * Milliseconds that every answer takes, or a function of the operation.
   * @default {0}
   */
  readonly latency?: Latency;
  /**
   * How many valid documents are remembered.
   * @default {500}
   */
  readonly maxDocuments?: number;
  /**
   * How many handled operations are remembered.
   * @default {100}
   */
  readonly maxOperations?: number;
}

/** The host's options, and the data that answers. */
export interface ExecutorOptions extends ExecutionOptions {
  /** Mirage's schema: `mockSchema` and `mirageSchema` in the context. */
  readonly mockSchema: object;
  /** Answers what doesn't need graphql-js; it isn't asked where the host has a root value. */
  readonly answerQuery?: AnswerQuery;
}

/** What one call adds. */
export interface ExecuteOptions {
  /** The HTTP request: `request` in the context. */
  readonly request?: MockRequest;
  /** Ends the wait for latency and for resolvers; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** A GraphQL request whose document may be parsed already. */
export interface ExecutableRequest extends Omit<GraphQLRequest, "query"> {
  /** The document: its source, or parsed. */
  readonly query: string | DocumentNode;
}
