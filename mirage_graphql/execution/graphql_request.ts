import type { DocumentNode } from "graphql";

/** One GraphQL request, as in the GraphQL over HTTP specification. */
export interface GraphQLRequest {
  /** Source of the document. */
  readonly query: string;
  /** Values of the operation's variables. */
  readonly variables?: Readonly<Record<string, unknown>> | null;
  /** Which operation of the document to execute; required if it has several. */
  readonly operationName?: string | null;
  /** Data for extensions of the protocol; unused. */
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

/** A GraphQL request whose document may be parsed already. */
export interface ExecutableRequest extends Omit<GraphQLRequest, "query"> {
  /** The document: its source, or parsed. */
  readonly query: string | DocumentNode;
}

/** A GraphQL request as it was received, perhaps with the id of its document instead of it. */
export interface ReceivedRequest extends Omit<GraphQLRequest, "query"> {
  /** Source of the document; `undefined` if only its id was sent. */
  readonly query?: string;
  /** The id of the document. */
  readonly persisted?: PersistedId;
}

/** The id of a document that was not sent. */
export interface PersistedId {
  readonly id: string;
  /** Whether it is the hash of an automatic persisted query. */
  readonly isHash: boolean;
}

/**
 * The HTTP request as Mirage passes it to a route handler. The fetch handler creates one too, so
 * that `context.request` has the same members in either case.
 */
export interface MockRequest {
  /** The body: its text, or what a direct caller has already parsed. */
  readonly requestBody?: unknown;
  /** Headers by name, in any casing. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Method of the request; POST if it is missing. */
  readonly method?: string;
  /** Address of the request. */
  readonly url?: string;
  /** Values of the dynamic segments of the route. */
  readonly params?: Readonly<Record<string, string>>;
  /** Parameters of the query string. */
  readonly queryParams?: Readonly<Record<string, unknown>>;
  /** Aborts when the client disconnects; only fetch requests have one. */
  readonly signal?: AbortSignal;
  /** Whether subscriptions can be streamed: not by routes of Mirage's own interceptor. */
  readonly canStream?: boolean;
  /** What the client sent when it connected; only requests over WebSocket have them. */
  readonly connectionParams?: Readonly<Record<string, unknown>>;
}

/** Kind of an operation. */
export type OperationType = "query" | "mutation" | "subscription";

/** What `latency` receives for an operation. */
export interface OperationInfo {
  /** Name of the operation; `undefined` if it has none. */
  readonly name: string | undefined;
  /** Kind of the operation. */
  readonly type: OperationType;
  /** The variables as they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A value, or a promise of it. */
export type PromiseOrValue<T> = T | Promise<T>;

/** The operations of a multipart request, with files in place of `null`. */
export class MultipartOperations {
  /** Distinguishes it from a refusal. */
  readonly kind = "operations";

  /** Keeps one request, or those of a batch, as JSON has them, and the form that they came in. */
  constructor(readonly operations: unknown, readonly form: FormData) {}
}
