import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";
import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import { copyRecord } from "../shared/values.ts";
import type { Executor } from "./executor.ts";
import type { MockRequest } from "./graphql_request.ts";
import type { HandledOperation, PlannedFailure, SeenOptions } from "./operation_log.ts";
import { isNetworkError, type Outcome, type PassedResponse } from "./outcome.ts";

/** Options of a query. */
export interface QueryOptions {
  /** Which operation to execute, if the document has several. */
  readonly operationName?: string;
  /** The HTTP request in the resolvers' context, such as `{ requestHeaders }`. */
  readonly request?: MockRequest;
  /** Ends the wait; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** The arguments after the document: variables may be omitted if none is required. */
export type QueryArguments<Variables> = Record<string, never> extends Variables
  ? [variables?: NoInfer<Variables>, options?: QueryOptions]
  : [variables: NoInfer<Variables>, options?: QueryOptions];

/** A document whose types are known: a `TypedDocumentNode`, or the string form of codegen. */
export type TypedDocument<Result, Variables> = DocumentTypeDecoration<Result, Variables>;

/** A document whose types are not known. */
export type UntypedDocument = string | (DocumentNode & { readonly __apiType?: undefined });

/** Executes a document and returns its data, in one call. */
export interface QueryFunction {
  /** Infers the types of result and variables from a typed document. */
  <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...rest: QueryArguments<Variables>
  ): Promise<Result>;
  /** Accepts any other document. */
  (
    document: UntypedDocument,
    variables?: Record<string, unknown>,
    options?: QueryOptions,
  ): Promise<Record<string, unknown>>;
}

/** A response with errors; the message contains all of their messages. */
export class QueryError extends Error {
  /** The errors of the GraphQL response. */
  readonly errors: readonly GraphQLError[];
  /** The data of the response, if there is any. */
  readonly data: unknown;
  /** The `Response` that was sent instead of a GraphQL response, if any. */
  readonly response: PassedResponse | undefined;

  /** Creates the error from the errors of a GraphQL response. */
  constructor(message: string, result: ExecutionResult = {}, response?: PassedResponse) {
    const [first] = result.errors ?? [];
    super(message, { cause: response ?? first?.originalError ?? first });
    this.name = "QueryError";
    this.errors = result.errors ?? [];
    this.data = result.data;
    this.response = response;
  }
}

/**
 * Creates the query function of an executor. It returns `data`, and throws a `QueryError` if there
 * is any error, so that no test passes on partial data.
 */
function createQuery(executor: Executor): QueryFunction {
  function query<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...rest: QueryArguments<Variables>
  ): Promise<Result>;
  function query(
    document: UntypedDocument,
    variables?: Record<string, unknown>,
    options?: QueryOptions,
  ): Promise<Record<string, unknown>>;
  async function query(
    document: string | object,
    variables?: unknown,
    options: QueryOptions = {},
  ): Promise<unknown> {
    const { operationName, request, signal } = options;
    const outcome: Outcome = await executor.execute({
      query: toQuery(document),
      variables: toVariables(variables),
      operationName,
    }, { request, signal });
    return dataOf(outcome);
  }
  return query;
}

function toQuery(document: string | object): string | DocumentNode {
  return isDocumentNode(document) ? document : String(document);
}

function isDocumentNode(document: string | object): document is DocumentNode {
  return typeof document === "object" && "kind" in document && document.kind === "Document";
}

/** Copies them, as sending does: later changes affect neither resolvers nor the log. */
function toVariables(variables: unknown): Record<string, unknown> | undefined {
  if (variables === undefined || variables === null) return undefined;
  if (typeof variables === "object") return copyRecord({ ...variables });
  throw new TypeError(`Cannot use variables "${variables}": they must be an object`);
}

/** What a client receives as JSON: plain objects that nothing else shares. */
function asReceived(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data ?? null));
}

function dataOf(outcome: Outcome): unknown {
  if (outcome.kind === "refusal") throw new QueryError(`Cannot return data: ${outcome.reason}`);
  if (outcome.kind === "response") {
    const state = isNetworkError(outcome.response)
      ? "the connection was broken"
      : "the result is a Response";
    throw new QueryError(`Cannot return data: ${state}`, {}, outcome.response);
  }
  const { result } = outcome;
  if (result.errors === undefined || result.errors.length === 0) return asReceived(result.data);
  const messages = result.errors.map(({ message, path }) =>
    path === undefined ? message : `${message} (at ${path.join(".")})`
  );
  throw new QueryError(`Cannot return data: ${messages.join("; ")}`, result);
}

/**
 * What every handler offers to tests and demos, besides responding.
 *
 * @example Make an operation fail, and read the log
 * ```ts
 * import { deepStrictEqual, rejects } from "node:assert/strict";
 * import { createServer } from "miragejs";
 * import { createGraphQLHandler } from "@trestle/mirage-graphql";
 *
 * const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
 * const { schema, db } = createServer({ environment: "test" });
 * const handler = createGraphQLHandler(graphQLSchema, schema);
 * db.loadData({ people: [{ name: "Ada" }] });
 *
 * handler.failNext("People", new Error("disk full"));
 * const query = "query People { people { name } }";
 * await rejects(handler.query(query), { message: "Cannot return data: disk full" });
 * deepStrictEqual(await handler.query(query), { people: [{ name: "Ada" }] });
 * deepStrictEqual(handler.operations.map(({ name }) => name), ["People", "People"]);
 * ```
 */
export interface HandlerControls {
  /** The latest operations, the oldest first; at most 100 unless `maxOperations` is set. */
  readonly operations: readonly HandledOperation[];
  /**
   * Makes the next operation of that name (`"*"`: of any name) fail without executing it: with an
   * error and `data: null`, with an HTTP status from 400 to 599, or with a `Response`. With
   * `"network"` or `Response.error()` the connection breaks, so that `fetch` rejects; with
   * `"timeout"` nothing is answered until the client aborts. Several calls queue up.
   */
  failNext(operationName: string, failure: PlannedFailure): void;
  /**
   * Resolves with the latest operation of that name (`"*"`: of any name), at once if it was handled
   * already, or else as soon as it is. Rejects after `timeout` milliseconds, 1,000 by default, with
   * the names of those that were handled. Subscriptions are not among them.
   */
  seen(operationName: string, options?: SeenOptions): Promise<HandledOperation>;
  /** Executes a document and returns its data; throws a `QueryError` if the response has errors. */
  readonly query: QueryFunction;
  /**
   * Removes handled operations and planned failures, for example between two tests. With the option
   * `persist` it also forgets the kept records, and returns to those before the first operation.
   */
  reset(): void;
}

/** Adds an executor's controls to its handler. */
export function addControls<Handler extends object>(
  handler: Handler,
  executor: Executor,
): Handler & HandlerControls {
  const controls: PropertyDescriptorMap & ThisType<never> = {
    operations: { get: () => executor.operations, enumerable: true },
    failNext: { value: executor.failNext, enumerable: true },
    seen: { value: executor.seen, enumerable: true },
    query: { value: createQuery(executor), enumerable: true },
    reset: { value: executor.reset, enumerable: true },
  };
  return Object.defineProperties(handler, controls) as Handler & HandlerControls;
}
