import {
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { firstOf, unlessAborted } from "../shared/deadline.ts";
import { withSignal } from "../shared/graphql_versions.ts";
import { type DocumentCache, infoOf, type ValidDocument } from "./document_cache.ts";
import {
  type ContextFactory,
  type ExecutePlan,
  type Latency,
  latencyOf,
  type Merge,
  type ReportErrors,
} from "./executor_options.ts";
import type {
  ExecutableRequest,
  MockRequest,
  OperationInfo,
  PromiseOrValue,
} from "./graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import type { InspectedOperation, Inspection, Inspector } from "./inspector.ts";
import {
  type OperationLog,
  type PlannedFailures,
  toOutcome as toFailedOutcome,
} from "./operation_log.ts";
import { findPassedResponse, type Outcome, refuse } from "./outcome.ts";

/** What the execution of operations needs. */
export interface RunnerParts {
  readonly graphQLSchema: GraphQLSchema;
  readonly documents: DocumentCache;
  /** Source of the fields at the root. */
  readonly root: unknown;
  readonly createContext: ContextFactory;
  /** Executes what doesn't need graphql-js; not used if there is a root value. */
  readonly plan: ExecutePlan | undefined;
  /** The API that answers a part of the fields at the root. */
  readonly merge: Merge | undefined;
  readonly latency: Latency;
  readonly failures: PlannedFailures;
  readonly log: OperationLog;
  readonly onErrors: ReportErrors | undefined;
  readonly inspection: Inspection;
}

/** An operation that is about to run: against this schema, or by the API at its address. */
export interface PendingOperation {
  readonly info: OperationInfo;
  readonly request: MockRequest;
  /** Runs it to one outcome; the signal ends that. */
  start(signal?: AbortSignal): PromiseOrValue<Outcome>;
}

/** What a request selects. */
export interface SelectedOperation {
  readonly one: ExecutableRequest;
  readonly request: MockRequest;
  readonly checked: ValidDocument;
  readonly operation: OperationDefinitionNode;
  /** When the request arrived, as `performance.now()` counts. */
  readonly started: number;
}

/** An operation of a valid document. */
export class LocalOperation implements PendingOperation, InspectedOperation {
  readonly selected: SelectedOperation;
  readonly info: OperationInfo;
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts, selected: SelectedOperation) {
    this.#parts = parts;
    this.selected = selected;
    this.info = infoOf(selected.operation, selected.one);
  }

  /** The schema that it is executed against. */
  get graphQLSchema(): GraphQLSchema {
    return this.#parts.graphQLSchema;
  }

  /** The HTTP request: `request` in the context. */
  get request(): MockRequest {
    return this.selected.request;
  }

  /** What watches it; `undefined` if nothing does. */
  get inspector(): Inspector | undefined {
    return this.#parts.inspection.inspector;
  }

  /** The same operation, of another request or another form of the document. */
  with(changes: Partial<SelectedOperation>): LocalOperation {
    return new LocalOperation(this.#parts, { ...this.selected, ...changes });
  }

  /** Removes the failure that is planned for the operation, and returns its outcome. */
  fail(signal: AbortSignal | undefined): PromiseOrValue<Outcome> | undefined {
    const planned = this.#parts.failures.fail(this.info.name, signal);
    if (planned !== undefined || this.inspector === undefined) return planned;
    const failure = this.inspector.fail(this);
    return failure === undefined ? undefined : toFailedOutcome(failure, signal);
  }

  /** Waits for latency, fails as planned, or executes; `executeArgs` is what is left to graphql-js. */
  start(signal?: AbortSignal, executeArgs: typeof execute = execute): PromiseOrValue<Outcome> {
    const refusal = refuseOperation(this.info, this.selected.request);
    if (refusal !== undefined) return refusal;
    const { latency } = this.#parts;
    const run = () => this.#run(signal, executeArgs);
    const wait = () => {
      const ms = latency === 0 ? 0 : latencyOf(latency, this.info);
      return ms === 0 ? run() : firstOf({ signal, timeoutMs: ms }).passed.then(run);
    };
    return this.inspector?.run(this, wait) ?? wait();
  }

  /** The arguments of graphql-js; a promise if the context is one. */
  args(signal?: AbortSignal): PromiseOrValue<ExecutionArgs> {
    const context = this.#parts.createContext(this.selected.request);
    return isPromise(context)
      ? context.then((value) => this.#argsIn(value, signal))
      : this.#argsIn(context, signal);
  }

  #argsIn(contextValue: object, signal: AbortSignal | undefined): ExecutionArgs {
    const { one: { variables, operationName }, checked: { document } } = this.selected;
    const args = {
      schema: this.#parts.graphQLSchema,
      document,
      rootValue: this.#parts.root,
      contextValue,
      variableValues: variables,
      operationName,
    };
    return signal === undefined ? args : withSignal(args, signal);
  }

  /** Reports errors of its result; a subscription's, those of its start. */
  report(errors: readonly GraphQLError[] = NO_ERRORS): void {
    if (errors.length === 0) return;
    const { checked: { document }, operation } = this.selected;
    this.#parts.onErrors?.({ document, operation }, errors);
  }

  #run(signal: AbortSignal | undefined, executeArgs: typeof execute): PromiseOrValue<Outcome> {
    const failure = this.fail(signal);
    if (failure !== undefined) {
      if (!isPromise(failure)) return this.#note(failure);
      this.#note(UNANSWERED);
      return failure;
    }
    const args = this.args(signal);
    const run = (value: ExecutionArgs) => this.#execute(value, signal, executeArgs);
    const result = isPromise(args) ? args.then(run) : run(args);
    if (!isPromise(result)) return this.#note(toOutcome(result));
    return unlessAborted(result, signal).then((settled) => this.#note(toOutcome(settled)));
  }

  #execute(
    args: ExecutionArgs,
    signal: AbortSignal | undefined,
    executeArgs: typeof execute,
  ): PromiseOrValue<ExecutionResult> {
    signal?.throwIfAborted(); // graphql 17 checks it; neither graphql 16 nor a plan does
    const { merge, plan, root } = this.#parts;
    const { operation, request } = this.selected;
    if (merge !== undefined) return executeWith(merge, { ...args, operation }, request);
    if (plan === undefined || root !== undefined || operation.operation !== "query") {
      return executeArgs(args);
    }
    const { document, contextValue: context, variableValues: variables } = args;
    const data = plan({ document, operation, variables, context });
    return data === undefined ? executeArgs(args) : { data };
  }

  #note(outcome: Outcome): Outcome {
    const { name, type, variables } = this.info;
    const { errors = NO_ERRORS } = resultOf(outcome);
    this.report(errors);
    const response = outcome.kind === "response" ? outcome.response : undefined;
    const duration = performance.now() - this.selected.started;
    this.#parts.log.add({ name, type, variables, errors, response, duration });
    return outcome;
  }
}

/** Loads the code of merging, which other handlers do without. */
async function executeWith(
  merge: Merge,
  args: ExecutionArgs & Pick<SelectedOperation, "operation">,
  request: MockRequest,
): Promise<ExecutionResult> {
  const { executeMerged } = await import("./merge_fields.ts");
  return executeMerged(merge, args, request);
}

function toOutcome(result: ExecutionResult): Outcome {
  const response = result.errors === undefined ? undefined : findPassedResponse(result.errors);
  return response === undefined ? { kind: "result", result } : { kind: "response", response };
}

const NO_RESULT: ExecutionResult = {};
const UNANSWERED: Outcome = { kind: "result", result: NO_RESULT };
const NO_ERRORS: readonly GraphQLError[] = Object.freeze([]);

function resultOf(outcome: Outcome): ExecutionResult {
  if (outcome.kind === "result") return outcome.result;
  return outcome.kind === "refusal" ? { errors: [new GraphQLError(outcome.reason)] } : NO_RESULT;
}

/** A subscription has no single response; and by GraphQL over HTTP, "GET", mutations need POST. */
function refuseOperation(
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
