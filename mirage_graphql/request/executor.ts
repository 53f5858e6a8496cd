import { assertValidSchema, GraphQLError, type GraphQLSchema } from "graphql";
import { createDocumentCache, type DocumentCache } from "./document_cache.ts";
import {
  contextFactory,
  type ExecutableRequest,
  type ExecuteOptions,
  type ExecutorOptions,
} from "./executor_options.ts";
import type { MockRequest, PromiseOrValue } from "./graphql_request.ts";
import { checkLatency } from "./latency.ts";
import { createOperationLog, type HandledOperation } from "./operation_log.ts";
import type { Outcome } from "./outcome.ts";
import { createPlannedFailures, failureOutcome, type PlannedFailure } from "./planned_failures.ts";
import { createRunOperation, infoOf, refuseOperation, selectOperation } from "./run_operation.ts";

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
  /** What comes of an operation that was told to fail, once; whoever runs subscriptions asks. */
  takeFailure(operationName: string | undefined): Outcome | undefined;
  /** Forgets handled operations and planned failures. */
  reset(): void;
}

/**
 * Makes an executor: documents are parsed and validated once, `executePlan` answers what it can, and
 * the rest is graphql-js.
 *
 * @throws {Error} Where the schema isn't valid; the message is graphql-js's.
 */
export function createExecutor(graphQLSchema: GraphQLSchema, options: ExecutorOptions): Executor {
  const { latency = 0, maxDocuments = 500, maxOperations = 100, root } = options;
  if (typeof latency === "number") checkLatency(latency);
  assertValidSchema(graphQLSchema);
  const documents = createDocumentCache(graphQLSchema, maxDocuments);
  const failures = createPlannedFailures();
  const log = createOperationLog(maxOperations);
  const createContext = contextFactory(options.context, options.mockSchema);
  const executePlan = root === undefined ? options.executePlan : undefined;
  const run = createRunOperation({
    graphQLSchema,
    root,
    createContext,
    executePlan,
    latency,
    failures,
    log,
  });
  return {
    graphQLSchema,
    documents,
    createContext,
    execute(request, executeOptions = {}) {
      const started = performance.now();
      const checked = documents.get(request.query);
      if ("errors" in checked) return { kind: "result", result: { errors: checked.errors } };
      const operation = selectOperation(checked, request.operationName);
      if (operation instanceof GraphQLError) {
        return { kind: "result", result: { errors: [operation] } };
      }
      const info = infoOf(operation, request);
      const refusal = refuseOperation(info, executeOptions.request?.method);
      if (refusal !== undefined) return refusal;
      const { document } = checked;
      return run({ document, operation, request, options: executeOptions, info, started });
    },
    get operations() {
      return log.list();
    },
    failNext: failures.add,
    takeFailure(operationName) {
      const failure = failures.take(operationName);
      return failure === undefined ? undefined : failureOutcome(failure);
    },
    reset() {
      log.clear();
      failures.clear();
    },
  };
}
