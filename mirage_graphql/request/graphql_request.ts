/** One GraphQL request, as the GraphQL over HTTP specification has it. */
export interface GraphQLRequest {
  /** Source of the document. */
  readonly query: string;
  /** Values of the operation's variables. */
  readonly variables?: Readonly<Record<string, unknown>> | null;
  /** Which operation of the document to run; needed where it has several. */
  readonly operationName?: string | null;
  /** Data for extensions of the protocol; nothing here reads it. */
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

/**
 * The HTTP request as Mirage hands it to a route handler. The fetch handler makes one too, so
 * resolvers find the same members under `context.request` in either case.
 */
export interface MockRequest {
  /** The body: its text, or what a direct caller has already parsed. */
  readonly requestBody?: unknown;
  /** Headers by name, in any casing. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Method of the request; a POST where it is missing. */
  readonly method?: string;
  /** Address of the request. */
  readonly url?: string;
  /** Values of the dynamic segments of the route. */
  readonly params?: Readonly<Record<string, string>>;
  /** Parameters of the query string. */
  readonly queryParams?: Readonly<Record<string, unknown>>;
  /** Aborts when the client goes away; only fetch requests have one. */
  readonly signal?: AbortSignal;
}

/** Kind of an operation. */
export type OperationType = "query" | "mutation" | "subscription";

/** What `latency` learns of an operation. */
export interface OperationInfo {
  /** Name of the operation; `undefined` where it has none. */
  readonly name: string | undefined;
  /** Kind of the operation. */
  readonly type: OperationType;
  /** The variables as they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A value now, or a promise of it. */
export type PromiseOrValue<T> = T | Promise<T>;

/** Tells a promise from a value. */
export function isPromise<T>(value: PromiseOrValue<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}
