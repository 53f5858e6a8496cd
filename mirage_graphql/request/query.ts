import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";
import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import { copyRecord } from "../values.ts";
import type { Executor } from "./executor.ts";
import type { MockRequest } from "./graphql_request.ts";
import type { Outcome } from "./outcome.ts";
import { isNetworkError, type PassedResponse } from "./passed_response.ts";

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
export function createQuery(executor: Executor): QueryFunction {
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
