import type { DocumentNode, GraphQLError, OperationDefinitionNode } from "graphql";
import { MAX_MS } from "../shared/deadline.ts";
import type { ExplainOperation } from "./inspector.ts";
import type {
  GraphQLRequest,
  MockRequest,
  OperationInfo,
  PromiseOrValue,
} from "./graphql_request.ts";
import type { Passthrough } from "./passthrough.ts";
import type { PersistedOptions } from "./persisted_documents.ts";

/** How operations are executed. */
export interface ExecutionOptions extends PersistedOptions {
  /** Source of the fields at the root. */
  readonly root?: unknown;
  /** What is added to the resolvers' context: an object, or a function of the request. */
  readonly context?: ContextOption;
  /**
   * Milliseconds that every response takes, or a function of the operation.
   * @default {0}
   */
  readonly latency?: Latency;
  /**
   * Maximum number of valid documents to cache, and of automatic persisted queries.
   * @default {500}
   */
  readonly maxDocuments?: number;
  /**
   * Maximum number of handled operations to keep.
   * @default {100}
   */
  readonly maxOperations?: number;
  /**
   * Operations that go to the network, to the address of their request: their names, or a function
   * of an operation. They may have fields that the schema lacks.
   * @default {[]}
   */
  readonly passthrough?: Passthrough;
}

/** The user's options, and where data comes from. */
export interface ExecutorOptions extends ExecutionOptions {
  /** Mirage's schema: `mockSchema` and `mirageSchema` in the context. */
  readonly mockSchema: object;
  /** The API that answers a part of the fields at the root. */
  readonly merge?: Merge | undefined;
  /** Executes what doesn't need graphql-js; not used if there is a root value. */
  readonly plan?: ExecutePlan | undefined;
  /** What is kept between two programs. */
  readonly persistence?: Persistence | undefined;
  /** Is called for each result that has errors. */
  readonly onErrors?: ReportErrors | undefined;
  /** Says what answers an operation. */
  readonly explain?: ExplainOperation | undefined;
}

/** The records of a mock that are kept. */
export interface Persistence {
  /** Restores the records, the first time it is called; every execution waits for it. */
  restore(): PromiseOrValue<unknown>;
  /** Forgets the kept records, and returns to those before the first operation. */
  reset(): void;
}

/** Reports the errors of an operation. */
export type ReportErrors = (
  operation: Pick<PendingOperation, "document" | "operation">,
  errors: readonly GraphQLError[],
) => void;

/** Which fields at the root an API answers, and where it is. */
export interface Merge {
  /** Address of the API. */
  readonly url: string;
  /** Whether the mock has a resolver for a field at the root. */
  readonly isLocal: (typeName: string, fieldName: string) => boolean;
}

/** An operation that graphql-js is about to execute. */
export interface PendingOperation {
  /** The document, which is valid. */
  readonly document: DocumentNode;
  /** The operation to execute. */
  readonly operation: OperationDefinitionNode;
  /** Values of the variables as they were sent. */
  readonly variables: GraphQLRequest["variables"];
  /** The resolvers' context. */
  readonly context: unknown;
}

/** Executes a query synchronously and without errors; `undefined` if graphql-js has to. */
export type ExecutePlan = (pending: PendingOperation) => Record<string, unknown> | undefined;

/** What is added to the context of every resolver: an object, or a function that creates it. */
export type ContextOption<Context = object> =
  // a mapped type, so that `Context` is inferred from what the function returns
  | (Readonly<Context> & object)
  | ((request: MockRequest) => PromiseOrValue<Context & object>);

/** The context of every resolver, without what users add. */
export interface MockContext {
  /** Mirage's schema, with the methods of the models: `context.mockSchema.people.find(1)`. */
  // the boundary: what Mirage puts on its schema depends on the models
  // deno-lint-ignore no-explicit-any
  readonly mockSchema: any;
  /** The same object, under the name that `@miragejs/graphql` uses. */
  // deno-lint-ignore no-explicit-any
  readonly mirageSchema: any;
  /** The HTTP request. */
  readonly request: MockRequest;
}

/** Creates the context of a request. */
export type ContextFactory = (request: MockRequest | undefined) => PromiseOrValue<object>;

/** How long a response takes: milliseconds, or a function of the operation that returns them. */
export type Latency = number | ((operation: OperationInfo) => number);

/**
 * The latency of one operation in milliseconds.
 *
 * @throws {RangeError} If a timer can't wait that long.
 */
export function latencyOf(latency: Latency, operation: OperationInfo): number {
  return checkLatency(typeof latency === "function" ? latency(operation) : latency);
}

/** Returns the latency unchanged, or throws, so that an invalid one is reported where it is set. */
export function checkLatency(ms: number): number {
  if (typeof ms === "number" && ms >= 0 && ms <= MAX_MS) return ms;
  throw new RangeError(`Cannot use latency "${ms}": it must be 0 to ${MAX_MS} milliseconds`);
}
