import {
  assertValidSchema,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { createDocumentCache, type DocumentCache, type ValidDocument } from "./document_cache.ts";
import {
  type GraphQLRequest,
  isPromise,
  type MockRequest,
  type OperationInfo,
  type PromiseOrValue,
} from "./graphql_request.ts";
import { checkLatency, type Latency, latencyOf, unlessAborted, wait } from "./latency.ts";
import { createOperationLog, type HandledOperation } from "./operation_log.ts";
import { type Outcome, refuse } from "./outcome.ts";
import { findPassedResponse, isPassedResponse } from "./passed_response.ts";
import { createPlannedFailures, type PlannedFailure } from "./planned_failures.ts";

/** What the host adds to the context of every resolver. */
export type ContextOption =
  | object
  | ((request: MockRequest) => PromiseOrValue<object>);

/** How operations are run. */
export interface ExecutorOptions {
  /** Parent of the fields at the root. */
  readonly root?: unknown;
  /** What resolvers find in their context: an object, or a function of the request. */
  readonly context?: ContextOption;
  /** Mirage's schema: `mockSchema` and `mirageSchema` in the context. */
  readonly mockSchema: object;
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
   * How many handled operations are remembered, with their answers.
   * @default {100}
   */
  readonly maxOperations?: number;
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

/** Runs GraphQL requests against one executable schema. */
export interface Executor {
  /** The schema that answers. */
  readonly graphQLSchema: GraphQLSchema;
  /** Checked documents; whoever runs subscriptions uses the same ones. */
  readonly documents: DocumentCache;
  /** Runs one GraphQL request; at once where no resolver, context or latency is asynchronous. */
  execute(request: ExecutableRequest, options?: ExecuteOptions): PromiseOrValue<Outcome>;
  /** The context of one request, as resolvers get it. */
  createContext(request: MockRequest | undefined): PromiseOrValue<object>;
  /** The operations that were handled last, the oldest first. */
  readonly operations: readonly HandledOperation[];
  /** Lets the next operation of that name (`*`: of any name) fail, without running it. */
  failNext(operationName: string, failure: PlannedFailure): void;
  /** Forgets handled operations and planned failures. */
  reset(): void;
}

/**
 * Makes an executor: documents are parsed and validated once, and the rest is graphql-js.
 *
 * @throws {Error} Where the schema isn't valid; the message is graphql-js's.
 */
export function createExecutor(graphQLSchema: GraphQLSchema, options: ExecutorOptions): Executor {
  const { latency = 0, maxDocuments = 500, maxOperations = 100 } = options;
  if (typeof latency === "number") checkLatency(latency);
  assertValidSchema(graphQLSchema);
  const documents = createDocumentCache(graphQLSchema, maxDocuments);
  const failures = createPlannedFailures();
  const log = createOperationLog(maxOperations);
  const createContext = contextFactory(options);

  function run(call: Call): PromiseOrValue<ExecutionResult | Outcome> {
    const failure = failures.take(call.info.name);
    if (failure !== undefined) return failWith(failure);
    const contextValue = createContext(call.options.request);
    return isPromise(contextValue)
      ? contextValue.then((value) => execute(executionArgs(call, value)))
      : execute(executionArgs(call, contextValue));
  }

  function executionArgs({ document, request, options: { signal } }: Call, contextValue: object) {
    const args: ExecutionArgs = {
      schema: graphQLSchema,
      document,
      rootValue: options.root,
      contextValue,
      variableValues: request.variables,
      operationName: request.operationName,
    };
    // graphql 17 stops at it, graphql 16 passes over it
    return signal === undefined ? args : { ...args, abortSignal: signal };
  }

  function finish(call: Call, value: ExecutionResult | Outcome): Outcome {
    const outcome = "kind" in value ? value : toOutcome(value);
    const duration = performance.now() - call.started;
    const { data, errors = [] } = outcome.kind === "result" ? outcome.result : NO_RESULT;
    log.add({ ...call.info, data, errors, duration });
    return outcome;
  }

  function settle(call: Call, value: PromiseOrValue<ExecutionResult | Outcome>) {
    if (!isPromise(value)) return finish(call, value);
    return unlessAborted(value, call.options.signal).then((settled) => finish(call, settled));
  }

  function start(call: Call): PromiseOrValue<Outcome> {
    const ms = latency === 0 ? 0 : latencyOf(latency, call.info);
    if (ms === 0) return settle(call, run(call));
    return wait(ms, call.options.signal).then(() => settle(call, run(call)));
  }

  return {
    graphQLSchema,
    documents,
    createContext,
    execute(request, executeOptions = {}) {
      const started = performance.now();
      const checked = documents.get(request.query);
      if ("errors" in checked) return { kind: "result", result: { errors: checked.errors } };
      const operation = selectOperation(checked, request.operationName);
      if (typeof operation === "string") return refusedOperation(operation);
      const info = infoOf(operation, request);
      const refusal = refuseOperation(info, executeOptions.request?.method);
      if (refusal !== undefined) return refusal;
      const { document } = checked;
      return start({ document, request, options: executeOptions, info, started });
    },
    get operations() {
      return log.list();
    },
    failNext: failures.add,
    reset() {
      log.clear();
      failures.clear();
    },
  };
}

/** One operation that is being handled. */
interface Call {
  readonly document: DocumentNode;
  readonly request: ExecutableRequest;
  readonly options: ExecuteOptions;
  readonly info: OperationInfo;
  readonly started: number;
}

const NO_RESULT: ExecutionResult = {};
const NO_VARIABLES: Readonly<Record<string, unknown>> = Object.freeze({});

function infoOf(operation: OperationDefinitionNode, request: ExecutableRequest): OperationInfo {
  return {
    name: operation.name?.value,
    type: operation.operation,
    variables: request.variables ?? NO_VARIABLES,
  };
}

/** The operation to run, or why there is none: the texts are those of graphql-js. */
function selectOperation(
  { operations }: ValidDocument,
  name: string | null | undefined,
): OperationDefinitionNode | string {
  const [first, second] = operations;
  if (name !== undefined && name !== null) {
    return operations.find((operation) => operation.name?.value === name) ??
      `Unknown operation named "${name}".`;
  }
  if (first === undefined) return "Must provide an operation.";
  if (second === undefined) return first;
  return "Must provide operation name if query contains multiple operations.";
}

function refusedOperation(message: string): Outcome {
  return { kind: "result", result: { errors: [new GraphQLError(message)] } };
}

/** A subscription has no one answer; and by GraphQL over HTTP, "GET", no mutation runs there. */
function refuseOperation({ name, type }: OperationInfo, method = "POST"): Outcome | undefined {
  if (type === "subscription") {
    return refuse(
      400,
      `Cannot answer subscription "${name ?? "subscription"}" with one response: ` +
        "accept text/event-stream",
    );
  }
  if (type === "query" || method.toUpperCase() !== "GET") return undefined;
  return refuse(405, `Cannot run mutation "${name ?? "mutation"}" by GET: send POST`, {
    headers: { Allow: "POST" },
  });
}

function contextFactory({ context, mockSchema }: ExecutorOptions) {
  const own = { mockSchema, mirageSchema: mockSchema };
  if (typeof context !== "function") {
    return (request: MockRequest | undefined): object => ({ ...context, ...own, request });
  }
  return (request: MockRequest = {}): PromiseOrValue<object> => {
    const value = context(request);
    return isPromise(value)
      ? value.then((added) => ({ ...added, ...own, request }))
      : { ...value, ...own, request };
  };
}

function toOutcome(result: ExecutionResult): Outcome {
  const response = result.errors === undefined ? undefined : findPassedResponse(result.errors);
  return response === undefined ? { kind: "result", result } : { kind: "response", response };
}

function failWith(failure: PlannedFailure): Outcome {
  if (typeof failure === "number") return refuse(failure, `HTTP status ${failure}`);
  if (isPassedResponse(failure)) return { kind: "response", response: failure };
  return { kind: "result", result: { errors: [toGraphQLError(failure)], data: null } };
}

function toGraphQLError(
  error: Exclude<PlannedFailure, number | { toRackResponse(): unknown } | Response>,
): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const extensions = "extensions" in error ? error.extensions : undefined;
  const originalError = error instanceof Error ? error : undefined;
  return new GraphQLError(error.message, { originalError, extensions });
}
