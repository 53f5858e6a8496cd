import { assertValidSchema, GraphQLError, type GraphQLSchema } from "graphql";
import { createDocumentCache, selectOperation } from "./document_cache.ts";
import {
  checkLatency,
  type ContextFactory,
  type ContextOption,
  type ExecutorOptions,
} from "./executor_options.ts";
import type { ForwardOptions } from "./forward_request.ts";
import type { Inspection } from "./inspector.ts";
import type {
  ExecutableRequest,
  MockRequest,
  PersistedId,
  PromiseOrValue,
  ReceivedRequest,
} from "./graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import {
  createOperationLog,
  createPlannedFailures,
  type HandledOperation,
  type PlannedFailure,
  type SeenOptions,
} from "./operation_log.ts";
import { type Outcome, type Refusal, refuse } from "./outcome.ts";
import { createPassthrough } from "./passthrough.ts";
import type { DocumentLookup, PersistedOptions } from "./persisted_documents.ts";
import { LocalOperation, type PendingOperation, type RunnerParts } from "./run_operation.ts";

/**
 * Delivers the results of an operation in another form than one outcome, such as a stream;
 * `undefined` if it is to be one outcome. `signal` is that of the request.
 */
export type Deliver<Delivered> = (
  pending: PendingOperation,
  signal: AbortSignal | undefined,
) => PromiseOrValue<Outcome | Delivered> | undefined;

/** How a transport receives the outcome of a request. */
export interface RunOptions<Delivered = never> {
  /** Delivers what has several results. @default {nothing has} */
  readonly deliver?: Deliver<Delivered> | undefined;
  /**
   * Whether other operations share the connection, so that one that passes through is sent alone,
   * and only its result is returned.
   * @default {false}
   */
  readonly isShared?: boolean;
}

/** What a direct call adds to its request. */
export interface DirectOptions<Delivered = never> {
  /** Delivers what has several results. @default {nothing has} */
  readonly deliver?: Deliver<Delivered> | undefined;
  /** The HTTP request in the resolvers' context, such as `{ requestHeaders }`. */
  readonly request?: MockRequest | undefined;
  /** Ends the wait for latency and for resolvers; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Executes GraphQL requests against one schema; transports only read requests and write outcomes. */
export interface Executor {
  /**
   * Runs a request that a transport has received: looks its document up, lets it pass through, or
   * executes it; synchronously if documents, resolvers, context and latency are. Errors of the user's
   * `context` and `latency`, and of the network, are refusals with status 500; it rejects only if
   * the request's signal aborts.
   */
  run<Delivered = never>(
    received: ReceivedRequest,
    request?: MockRequest,
    options?: RunOptions<Delivered>,
  ): PromiseOrValue<Outcome | NoInfer<Delivered>>;
  /** Executes the document of a direct call, whichever it is; errors of the user's code are thrown. */
  execute<Delivered = never>(
    one: ExecutableRequest,
    options?: DirectOptions<Delivered>,
  ): PromiseOrValue<Outcome | NoInfer<Delivered>>;
  /** The latest operations, the oldest first. */
  readonly operations: readonly HandledOperation[];
  /** The latest operation of that name (`*`: of any name), or the next one. */
  seen(operationName: string, options?: SeenOptions): Promise<HandledOperation>;
  /** Makes the next operation of that name (`*`: of any name) fail, without executing it. */
  failNext(operationName: string, failure: PlannedFailure): void;
  /** Removes handled operations, planned failures and kept records. */
  reset(): void;
  /** What watches it, and may change what it does; nothing at first. */
  readonly inspection: Inspection;
}

/**
 * Creates an executor: documents are parsed and validated once, a plan executes what it can, and
 * graphql-js executes the rest.
 *
 * @throws {Error} If the schema is not valid; the message is graphql-js's.
 */
export function createExecutor(graphQLSchema: GraphQLSchema, options: ExecutorOptions): Executor {
  const { latency = 0, maxDocuments = 500, maxOperations = 100, root, merge, onErrors } = options;
  if (typeof latency === "number") checkLatency(latency);
  assertValidSchema(graphQLSchema);
  const documents = createDocumentCache(graphQLSchema, maxDocuments);
  const lookUp = createDocumentLookup(options);
  const findPassing = createPassthrough(options.passthrough);
  const failures = createPlannedFailures();
  const log = createOperationLog(maxOperations);
  const createContext = contextFactory(options);
  const { plan } = options;
  const inspection: Inspection = { inspector: undefined, explain: options.explain };
  const runner = {
    ...{ graphQLSchema, documents, root, plan, merge, latency, failures, log, createContext },
    ...{ onErrors, inspection },
  };

  function runFound<Delivered>(
    one: ExecutableRequest,
    request: MockRequest,
    { deliver, isShared = false }: RunOptions<Delivered>,
  ) {
    const { signal } = request;
    const info = findPassing(one, request);
    // one request of HTTP has no stream of results
    if (info === undefined || isShared && info.type === "subscription") {
      return start(find(runner, one, request), signal, deliver);
    }
    const pass = (ending?: AbortSignal) =>
      failures.fail(info.name, ending) ??
        forward(one, request, { isAlone: isShared, signal: ending });
    return start({ info, request, start: pass }, signal, deliver);
  }

  return {
    run<Delivered>(
      received: ReceivedRequest,
      request: MockRequest = {},
      options: RunOptions<Delivered> = {},
    ) {
      return orRefusal<Outcome | Delivered>(request.signal, () => {
        const found = lookUp(received);
        const run = (one: ExecutableRequest | Refusal) =>
          "kind" in one ? one : runFound(one, request, options);
        return isPromise(found) ? found.then(run) : run(found);
      });
    },
    execute: (one, { request = {}, signal, deliver } = {}) =>
      start(find(runner, one, request), signal, deliver),
    inspection,
    get operations() {
      return log.list();
    },
    seen: log.seen,
    failNext: failures.add,
    reset() {
      log.clear();
      failures.clear();
      options.persistence?.reset();
    },
  };
}

/** Errors of user-defined code become a 500; they are thrown if the signal aborts. */
export function orRefusal<Value>(
  signal: AbortSignal | undefined,
  act: () => PromiseOrValue<Value>,
): PromiseOrValue<Value | Refusal> {
  const fail = (error: unknown): Refusal => {
    if (signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(500, `Cannot run the operation: ${reason}`);
  };
  try {
    const value = act();
    return isPromise(value) ? value.catch(fail) : value;
  } catch (error) {
    return fail(error);
  }
}

/** Adds what every resolver receives to the user's context. */
function contextFactory(
  { context, mockSchema, persistence }: ExecutorOptions,
): ContextFactory {
  const create = plainFactory(context, mockSchema);
  if (persistence === undefined) return create;
  return (request) => {
    const restored = persistence.restore();
    return isPromise(restored) ? restored.then(() => create(request)) : create(request);
  };
}

function plainFactory(context: ContextOption | undefined, mockSchema: object): ContextFactory {
  const own = { mockSchema, mirageSchema: mockSchema };
  if (typeof context !== "function") return (request = {}) => ({ ...context, ...own, request });
  return (request = {}) => {
    const value = context(request);
    return isPromise(value)
      ? value.then((added) => ({ ...added, ...own, request }))
      : { ...value, ...own, request };
  };
}

function find(
  runner: RunnerParts,
  one: ExecutableRequest,
  request: MockRequest,
): LocalOperation | Outcome {
  const started = performance.now();
  const checked = runner.documents.get(one.query);
  if ("errors" in checked) return { kind: "result", result: { errors: checked.errors } };
  const operation = selectOperation(checked, one.operationName);
  return operation instanceof GraphQLError
    ? { kind: "result", result: { errors: [operation] } }
    : new LocalOperation(runner, { one, request, checked, operation, started });
}

function start<Delivered>(
  found: PendingOperation | Outcome,
  signal: AbortSignal | undefined,
  deliver: Deliver<Delivered> | undefined,
): PromiseOrValue<Outcome | Delivered> {
  if ("kind" in found) return found;
  return deliver?.(found, signal) ?? found.start(signal);
}

async function forward(
  one: ExecutableRequest,
  request: MockRequest,
  options: ForwardOptions,
): Promise<Outcome> {
  const { forwardRequest, readResult } = await import("./forward_request.ts");
  const response = await forwardRequest(one, request, options);
  return options.isAlone === true
    ? { kind: "result", result: await readResult(response) }
    : { kind: "response", response };
}

/**
 * Creates the function that looks documents up. The first request that has the id of its document
 * loads the code for that.
 *
 * @throws {TypeError} If the options contradict each other, or have wrong types.
 */
function createDocumentLookup(options: PersistedOptions): DocumentLookup {
  checkOptions(options);
  const { persistedOnly = false } = options;
  let documents: Promise<DocumentLookup> | undefined;
  return (request) => {
    const { query, persisted } = request;
    if (query !== undefined && persisted === undefined && !persistedOnly) {
      return { ...request, query };
    }
    documents ??= loadDocuments(options);
    return documents.then((find) => find(request));
  };
}

async function loadDocuments(options: PersistedOptions): Promise<DocumentLookup> {
  const { createPersistedDocuments } = await import("./persisted_documents.ts");
  return createPersistedDocuments(options);
}

function checkOptions({ persistedOperations, persistedOnly }: PersistedOptions): void {
  const type = typeof persistedOperations;
  const isUsable = type === "function" || (type === "object" && persistedOperations !== null);
  if (persistedOperations !== undefined && !isUsable) {
    throw new TypeError(
      `Cannot use persistedOperations "${persistedOperations}": it must be an object of documents ` +
        "by id, or a function of an id",
    );
  }
  if (persistedOnly === true && persistedOperations === undefined) {
    throw new TypeError("Cannot use persistedOnly without persistedOperations: nothing could run");
  }
}

/** Parses one GraphQL request from its JSON value. */
export function parseOne(body: unknown): ReceivedRequest | Refusal {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return refuse(400, `Cannot read the body: it must be a JSON object, got ${nameOf(body)}`);
  }
  const { query, variables, operationName, extensions } = body as Record<string, unknown>;
  if (!isMap(variables)) return refuseParameter("variables", "an object", variables);
  if (!isMap(extensions)) return refuseParameter("extensions", "an object", extensions);
  if (typeof operationName !== "string" && operationName !== undefined && operationName !== null) {
    return refuseParameter("operationName", "a string", operationName);
  }
  const persisted = persistedIdOf(body, extensions);
  if (typeof query !== "string" && query !== undefined && query !== null) {
    return refuseParameter("query", "a string", query);
  }
  const one = { variables, operationName: operationName || undefined, extensions };
  if (typeof query !== "string") {
    return persisted === undefined ? NO_QUERY : { ...one, persisted };
  }
  return persisted === undefined ? { query, ...one } : { query, ...one, persisted };
}

const NO_QUERY = refuse(400, `Cannot answer the request: its "query" is missing`);

/** The id of a document, by any of the names that clients have for it. */
function persistedIdOf(
  body: object,
  extensions: Readonly<Record<string, unknown>> | null | undefined,
): PersistedId | undefined {
  const query = extensions?.persistedQuery;
  const hash = isMap(query) ? query?.sha256Hash : undefined;
  if (typeof hash === "string" && hash !== "") return { id: hash, isHash: true };
  const id = "documentId" in body ? body.documentId : "id" in body ? body.id : undefined;
  return typeof id === "string" && id !== "" ? { id, isHash: false } : undefined;
}

function refuseParameter(name: string, expected: string, value: unknown): Refusal {
  return refuse(400, `Cannot read "${name}": it must be ${expected}, got ${nameOf(value)}`);
}

function isMap(value: unknown): value is Record<string, unknown> | null | undefined {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `the ${typeof value} ${value}`;
}
