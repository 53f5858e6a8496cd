import type { DocumentTypeDecoration } from "@graphql-typed-document-node/core";
import type { DocumentNode, ExecutionResult, GraphQLError } from "graphql";
import type { Executor } from "./executor.ts";
import type { MockRequest } from "./graphql_request.ts";
import type { Outcome } from "./outcome.ts";
import type { PassedResponse } from "./passed_response.ts";

/** What a query adds to its document and variables. */
export interface QueryOptions {
  /** Which operation to run, where the document has several. */
  readonly operationName?: string;
  /** The HTTP request that resolvers find in their context, such as `{ requestHeaders }`. */
  readonly request?: MockRequest;
  /** Ends the wait; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** The arguments after the document: variables may be left out where none is required. */
export type QueryArguments<Variables> = Record<string, never> extends Variables
  ? [variables?: NoInfer<Variables>, options?: QueryOptions]
  : [variables: NoInfer<Variables>, options?: QueryOptions];

/** A document whose types are known: a `TypedDocumentNode`, or the string form of codegen. */
export type TypedDocument<Result, Variables> = DocumentTypeDecoration<Result, Variables>;

/** A document whose types are not known. */
export type UntypedDocument = string | (DocumentNode & { readonly __apiType?: undefined });

/** Runs a document and returns its data, in one call. */
export interface QueryFunction {
  /** Infers result and variables from a typed document. */
  <Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...rest: QueryArguments<Variables>
  ): Promise<Result>;
  /** Takes any other document. */
  (
    document: UntypedDocument,
    variables?: Record<string, unknown>,
    options?: QueryOptions,
  ): Promise<Record<string, unknown>>;
}

/** A query that was answered with errors: the message has all of theirs. */
export class QueryError extends Error {
  /** The errors of the GraphQL response. */
  readonly errors: readonly GraphQLError[];
  /** The data beside them, if there is any. */
  readonly data: unknown;
  /** The `Response` that was answered instead of a GraphQL response, if one was. */
  readonly response: PassedResponse | undefined;

  /** Tells what a GraphQL response says went wrong. */
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
 * Makes the query function of an executor. It returns `data`, and throws a `QueryError` as soon as
 * there is one error, so that no test passes on half an answer.
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
    const outcome = await executor.execute({
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

function toVariables(variables: unknown): Record<string, unknown> | undefined {
  if (variables === undefined || variables === null) return undefined;
  if (typeof variables === "object") return { ...variables };
  throw new TypeError(`Cannot use variables "${variables}": they must be an object`);
}

/** What a client reads after the way through JSON: plain objects that are nobody else's. */
function asReceived(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data ?? null));
}

function dataOf(outcome: Outcome): unknown {
  if (outcome.kind === "refusal") throw new QueryError(`Cannot return data: ${outcome.reason}`);
  if (outcome.kind === "response") {
    throw new QueryError("Cannot return data: a Response was answered", {}, outcome.response);
  }
  const { result } = outcome;
  if (result.errors === undefined || result.errors.length === 0) return asReceived(result.data);
  const messages = result.errors.map(({ message, path }) =>
    path === undefined ? message : `${message} (at ${path.join(".")})`
  );
  throw new QueryError(`Cannot return data: ${messages.join("; ")}`, result);
}
