import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { firstOf, unlessAborted } from "../deadline.ts";
import { withSignal } from "../graphql_versions.ts";
import type { ValidDocument } from "./document_cache.ts";
import {
  type ContextFactory,
  type ExecuteOptions,
  type ExecutePlan,
  type Latency,
  latencyOf,
  type Merge,
} from "./executor_options.ts";
import type { ExecutableRequest } from "./graphql_request.ts";
import {
  isPromise,
  type MockRequest,
  type OperationInfo,
  type PromiseOrValue,
} from "./graphql_request.ts";
import type { OperationLog } from "./operation_log.ts";
import { type Outcome, refuse } from "./outcome.ts";
import { findPassedResponse } from "./passed_response.ts";
import { failureOutcome, type PlannedFailures } from "./planned_failures.ts";

/** What the execution of operations needs. */
export interface RunnerParts {
  readonly graphQLSchema: GraphQLSchema;
  readonly root: unknown;
  readonly createContext: ContextFactory;
  /** Executes what doesn't need graphql-js. */
  readonly executePlan: ExecutePlan | undefined;
  /** The API that answers a part of the fields at the root. */
  readonly merge: Merge | undefined;
  readonly latency: Latency;
  readonly failures: PlannedFailures;
  readonly log: OperationLog;
}

/** One operation to execute. */
export interface OperationCall {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly request: ExecutableRequest;
  readonly options: ExecuteOptions;
  readonly info: OperationInfo;
  /** When the request arrived, as `performance.now()` counts. */
  readonly started: number;
}

/** Executes one operation; synchronously if nothing is asynchronous. */
export type RunOperation = (call: OperationCall) => PromiseOrValue<Outcome>;

/**
 * Creates the function that waits for latency, fails as planned, executes, and logs the outcome.
 */
export function createRunOperation(parts: RunnerParts): RunOperation {
  const { latency } = parts;
  return (call) => {
    const ms = latency === 0 ? 0 : latencyOf(latency, call.info);
    if (ms === 0) return run(parts, call);
    const { signal } = call.options;
    return firstOf({ signal, timeoutMs: ms }).passed.then(() => run(parts, call));
  };
}

function run(parts: RunnerParts, call: OperationCall): PromiseOrValue<Outcome> {
  const failure = parts.failures.take(call.info.name);
  if (failure !== undefined) {
    const outcome = failureOutcome(failure, call.options.signal);
    if (!isPromise(outcome)) return note(parts, call, outcome);
    note(parts, call, UNANSWERED);
    return outcome;
  }
  const result = executeCall(parts, call);
  if (!isPromise(result)) return note(parts, call, toOutcome(result));
  return unlessAborted(result, call.options.signal)
    .then((settled) => note(parts, call, toOutcome(settled)));
}

function executeCall(parts: RunnerParts, call: OperationCall): PromiseOrValue<ExecutionResult> {
  const contextValue = parts.createContext(call.options.request);
  return isPromise(contextValue)
    ? contextValue.then((value) => executeIn(parts, call, value))
    : executeIn(parts, call, contextValue);
}

function executeIn(
  parts: RunnerParts,
  call: OperationCall,
  context: object,
): PromiseOrValue<ExecutionResult> {
  const { document, operation, request, options } = call;
  options.signal?.throwIfAborted(); // graphql 17 checks it; neither graphql 16 nor a plan does
  if (parts.merge !== undefined) return executeWith(parts.merge, parts, { call, context });
  const data = parts.executePlan?.({ document, operation, variables: request.variables, context });
  if (data !== undefined) return { data };
  return (options.execute ?? execute)(toArgs(parts, call, context));
}

/** Loads the code of merging, which other handlers do without. */
async function executeWith(
  merge: Merge,
  parts: RunnerParts,
  { call, context }: { readonly call: OperationCall; readonly context: object },
): Promise<ExecutionResult> {
  const { executeMerged } = await import("./merge_fields.ts");
  const { operation, options } = call;
  return executeMerged(merge, { ...toArgs(parts, call, context), operation }, options.request);
}

function toArgs(
  { graphQLSchema, root }: RunnerParts,
  { document, request, options }: OperationCall,
  contextValue: object,
): ExecutionArgs {
  return withSignal({
    schema: graphQLSchema,
    document,
    rootValue: root,
    contextValue,
    variableValues: request.variables,
    operationName: request.operationName,
  }, options.signal);
}

function toOutcome(result: ExecutionResult): Outcome {
  const response = result.errors === undefined ? undefined : findPassedResponse(result.errors);
  return response === undefined ? { kind: "result", result } : { kind: "response", response };
}

function note({ log }: RunnerParts, { info, started }: OperationCall, outcome: Outcome): Outcome {
  const { name, type, variables } = info;
  const { errors = NO_ERRORS } = resultOf(outcome);
  const response = outcome.kind === "response" ? outcome.response : undefined;
  const duration = performance.now() - started;
  log.add({ name, type, variables, errors, response, duration });
  return outcome;
}

const NO_RESULT: ExecutionResult = {};
const UNANSWERED: Outcome = { kind: "result", result: NO_RESULT };
const NO_ERRORS: readonly GraphQLError[] = Object.freeze([]);

function resultOf(outcome: Outcome): ExecutionResult {
  if (outcome.kind === "result") return outcome.result;
  return outcome.kind === "refusal" ? { errors: [new GraphQLError(outcome.reason)] } : NO_RESULT;
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

/** A subscription has no single response; and by GraphQL over HTTP, "GET", mutations need POST. */
export function refuseOperation(
  { name, type }: OperationInfo,
  request: MockRequest = {},
): Outcome | undefined {
  if (type === "subscription") {
    const advice = request.canStream
      ? 'accept text/event-stream, or multipart/mixed;subscriptionSpec="1.0"'
      : "use createFetchInterceptor(), createFetchHandler() or createWebSocketInterceptor()";
    return refuse(
      400,
      `Cannot answer subscription "${name ?? "subscription"}" with one response: ${advice}`,
    );
  }
  const { method = "POST" } = request;
  if (type === "query" || method.toUpperCase() !== "GET") return undefined;
  return refuse(405, `Cannot run mutation "${name ?? "mutation"}" by GET: send POST`, {
    headers: { Allow: "POST" },
  });
}
