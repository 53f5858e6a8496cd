import { assertValidSchema, GraphQLError, type GraphQLSchema } from "graphql";
import { createDocumentCache, type DocumentCache } from "./document_cache.ts";
import {
  checkLatency,
  contextFactory,
  type ExecuteOptions,
  type ExecutorOptions,
} from "./executor_options.ts";
import {
  type ExecutableRequest,
  infoOf,
  type MockRequest,
  type PromiseOrValue,
} from "./graphql_request.ts";
import { createOperationLog, type HandledOperation, type SeenOptions } from "./operation_log.ts";
import type { Outcome } from "./outcome.ts";
import type { CompleteRequest } from "./persisted_documents.ts";
import { createPersistedOperations } from "./persisted_operations.ts";
import { createPassthrough, type PassOptions } from "./passthrough.ts";
import { createPlannedFailures, failureOutcome, type PlannedFailure } from "./planned_failures.ts";
import { createRunOperation, refuseOperation, selectOperation } from "./run_operation.ts";

/** Executes GraphQL requests against one schema. */
export interface Executor {
  /** The executable schema. */
  readonly graphQLSchema: GraphQLSchema;
  /** Source of the fields at the root. */
  readonly root: unknown;
  /** Validated documents, shared with subscriptions. */
  readonly documents: DocumentCache;
  /** Looks up the document of a request that has only its id. */
  readonly complete: CompleteRequest;
  /** Sends an operation to the network; `undefined` if it doesn't pass through. */
  passThrough(
    one: ExecutableRequest,
    request: MockRequest,
    options?: PassOptions,
  ): PromiseOrValue<Outcome> | undefined;
  /** Executes one GraphQL request; synchronously if resolvers, context and latency are. */
  execute(request: ExecutableRequest, options?: ExecuteOptions): PromiseOrValue<Outcome>;
  /** The context of one request, as resolvers receive it. */
  createContext(request: MockRequest | undefined): PromiseOrValue<object>;
  /** The latest operations, the oldest first. */
  readonly operations: readonly HandledOperation[];
  /** The latest operation of that name (`*`: of any name), or the next one. */
  seen(operationName: string, options?: SeenOptions): Promise<HandledOperation>;
  /** Makes the next operation of that name (`*`: of any name) fail, without executing it. */
  failNext(operationName: string, failure: PlannedFailure): void;
  /**
   * Removes and returns the planned failure of an operation as its outcome; subscriptions use it
   * too.
   */
  takeFailure(
    operationName: string | undefined,
    signal?: AbortSignal,
  ): PromiseOrValue<Outcome> | undefined;
  /** Removes handled operations and planned failures. */
  reset(): void;
}

/**
 * Creates an executor: documents are parsed and validated once, `executePlan` executes what it can,
 * and graphql-js executes the rest.
 *
 * @throws {Error} If the schema is not valid; the message is graphql-js's.
 */
export function createExecutor(graphQLSchema: GraphQLSchema, options: ExecutorOptions): Executor {
  const { latency = 0, maxDocuments = 500, maxOperations = 100, root } = options;
  if (typeof latency === "number") checkLatency(latency);
  assertValidSchema(graphQLSchema);
  const documents = createDocumentCache(graphQLSchema, maxDocuments);
  const failures = createPlannedFailures();
  const log = createOperationLog(maxOperations);
  const createContext = contextFactory(options.context, options.mockSchema);
  const complete = createPersistedOperations(options);
  const findPassing = createPassthrough(options.passthrough);
  const executePlan = root === undefined ? options.executePlan : undefined;
  const run = createRunOperation({
    graphQLSchema,
    root,
    createContext,
    executePlan,
    merge: options.merge,
    latency,
    failures,
    log,
  });
  const takeFailure: Executor["takeFailure"] = (operationName, signal) => {
    const failure = failures.take(operationName);
    return failure === undefined ? undefined : failureOutcome(failure, signal);
  };
  return {
    graphQLSchema,
    root,
    documents,
    complete,
    createContext,
    passThrough(one, request, passOptions = {}) {
      const operation = findPassing(one, request);
      return operation &&
        (takeFailure(operation.name, request.signal) ?? forward(one, request, passOptions));
    },
    execute(request, executeOptions = {}) {
      const started = performance.now();
      const found = documents.get(request.query);
      if ("errors" in found) return { kind: "result", result: { errors: found.errors } };
      const checked = executeOptions.prepare?.(found) ?? found;
      const operation = selectOperation(checked, request.operationName);
      if (operation instanceof GraphQLError) {
        return { kind: "result", result: { errors: [operation] } };
      }
      const info = infoOf(operation, request);
      const refusal = refuseOperation(info, executeOptions.request);
      if (refusal !== undefined) return refusal;
      const { document } = checked;
      return run({ document, operation, request, options: executeOptions, info, started });
    },
    get operations() {
      return log.list();
    },
    seen: log.seen,
    failNext: failures.add,
    takeFailure,
    reset() {
      log.clear();
      failures.clear();
    },
  };
}

async function forward(
  one: ExecutableRequest,
  request: MockRequest,
  options: PassOptions,
): Promise<Outcome> {
  const { forwardRequest, readResult } = await import("./forward_request.ts");
  const response = await forwardRequest(one, request, options);
  return options.isAlone === true
    ? { kind: "result", result: await readResult(response) }
    : { kind: "response", response };
}
