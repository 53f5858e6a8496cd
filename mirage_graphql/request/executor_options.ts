import type { DocumentNode, OperationDefinitionNode } from "graphql";
import {
  type GraphQLRequest,
  isPromise,
  type MockRequest,
  type PromiseOrValue,
} from "./graphql_request.ts";
import type { Latency } from "./latency.ts";

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
  readonly executePlan?: ExecutePlan;
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
export type ExecutePlan = (pending: PendingOperation) => Record<string, unknown> | undefined;

/** What the host adds to the context of every resolver: an object, or a function that makes it. */
export type ContextOption<Context = object> =
  // a mapped type, so that `Context` is rather inferred from what the function returns
  | (Readonly<Context> & object)
  | ((request: MockRequest) => PromiseOrValue<Context & object>);

/** What every resolver finds in its context, beside what the host adds. */
export interface MockContext {
  /** Mirage's schema, with the methods of the host's models: `context.mockSchema.people.find(1)`. */
  // the boundary: what Mirage puts on its schema depends on the models
  // deno-lint-ignore no-explicit-any
  readonly mockSchema: any;
  /** The same object, by the name that `@miragejs/graphql` gives it. */
  // deno-lint-ignore no-explicit-any
  readonly mirageSchema: any;
  /** The HTTP request that is answered. */
  readonly request: MockRequest;
}

/** Makes the context of a request. */
export type ContextFactory = (request: MockRequest | undefined) => PromiseOrValue<object>;

/** Puts what every resolver finds in its context over what the host adds. */
export function contextFactory(
  context: ContextOption | undefined,
  mockSchema: object,
): ContextFactory {
  const own = { mockSchema, mirageSchema: mockSchema };
  if (context === undefined) {
    return (request = {}) => ({ mockSchema, mirageSchema: mockSchema, request });
  }
  if (typeof context !== "function") return (request = {}) => ({ ...context, ...own, request });
  return (request = {}) => {
    const value = context(request);
    return isPromise(value)
      ? value.then((added) => ({ ...added, ...own, request }))
      : { ...value, ...own, request };
  };
}
