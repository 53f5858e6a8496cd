import type { ExecutionResult } from "graphql";
import type { Executor, RunOptions } from "../execution/executor.ts";
import type { MockRequest, PromiseOrValue, ReceivedRequest } from "../execution/graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import {
  isNetworkError,
  type Outcome,
  type PassedResponse,
  type Refusal,
  refuse,
} from "../execution/outcome.ts";
import {
  headerOf,
  type MediaType,
  negotiate,
  type ParseOptions,
  parseRequest,
} from "./http_request.ts";

/** The response to an HTTP request, before it is converted to the form of Mirage or fetch. */
export type HttpResponse = JsonAnswer | {
  readonly kind: "response";
  readonly response: PassedResponse;
};

/** A response whose body is a GraphQL response, or an array of them. */
export interface JsonAnswer {
  /** Distinguishes this response from a `Response` that is passed on. */
  readonly kind: "json";
  /** HTTP status. */
  readonly status: number;
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly body: ResponseBody | readonly ResponseBody[];
}

/** A GraphQL response. */
export type ResponseBody = Pick<ExecutionResult, "data" | "extensions"> & {
  readonly errors?: readonly FormattedError[];
};

/** An error in a GraphQL response. */
export interface FormattedError {
  /** What went wrong. */
  readonly message: string;
  /** Additional data, such as a `code`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** How an HTTP request is handled. */
export interface HttpOptions<Delivered = never>
  extends ParseOptions, Pick<RunOptions<Delivered>, "deliver"> {}

/** Handles an HTTP request by the GraphQL over HTTP specification. */
export function handleHttpRequest<Delivered extends object = never>(
  executor: Executor,
  request: MockRequest,
  options: HttpOptions<Delivered> = {},
): PromiseOrValue<HttpResponse | Delivered> {
  const mediaType = negotiate(headerOf(request, "accept"));
  if (mediaType === undefined) return refusalResponse(NOT_ACCEPTABLE, "application/json");
  const parsed = parseRequest(request, options);
  if (parsed.kind === "refusal") return refusalResponse(parsed, mediaType);
  if (parsed.isBatch) return handleBatch(executor, request, parsed.requests, mediaType);
  const [first] = parsed.requests;
  if (first === undefined) return refusalResponse(NOTHING_ASKED, mediaType);
  const write = (outcome: Outcome | Delivered) =>
    "kind" in outcome ? toHttpResponse(outcome, mediaType) : outcome;
  const outcome = executor.run(first, request, options);
  return isPromise(outcome) ? outcome.then(write) : write(outcome);
}

const NOT_ACCEPTABLE = refuse(
  406,
  "Cannot answer in a type that Accept names: accept application/json or " +
    "application/graphql-response+json",
);

const NOTHING_ASKED = refuse(400, "Cannot answer an empty request");

/** A connection that is to break breaks for the whole batch. */
async function handleBatch(
  executor: Executor,
  request: MockRequest,
  requests: readonly ReceivedRequest[],
  mediaType: MediaType,
): Promise<HttpResponse> {
  const outcomes = await Promise.all(
    requests.map((one) => executor.run(one, request, { isShared: true })),
  );
  const broken = outcomes.find((outcome) =>
    outcome.kind === "response" && isNetworkError(outcome.response)
  );
  if (broken?.kind === "response") return broken;
  const body = outcomes.map(toBody);
  return { kind: "json", status: 200, headers: headersOf(mediaType), body };
}

/** In a batch, a response with its own status becomes an error with that status. */
function toBody(outcome: Outcome): ResponseBody {
  if (outcome.kind === "result") return outcome.result;
  if (outcome.kind === "refusal") {
    const { reason, status, extensions } = outcome;
    const http = status === 200 ? {} : { http: { status } };
    return { errors: [{ message: reason, extensions: { ...extensions, ...http } }] };
  }
  const message = "Cannot pass a resolver's Response on: the request is one of a batch";
  return { errors: [{ message }] };
}

/**
 * A response without `data` means that the document was rejected: 400, but 200 as
 * `application/json`, because older clients treat an error status as a network failure (GraphQL
 * over HTTP, "Status Codes").
 */
export function toHttpResponse(outcome: Outcome, mediaType: MediaType): HttpResponse {
  if (outcome.kind === "response") return outcome;
  if (outcome.kind === "refusal") return refusalResponse(outcome, mediaType);
  const isRefused = outcome.result.data === undefined && mediaType !== "application/json";
  const headers = headersOf(mediaType);
  return { kind: "json", status: isRefused ? 400 : 200, headers, body: outcome.result };
}

/** The response to a rejected request. */
export function refusalResponse(refusal: Refusal, mediaType: MediaType): JsonAnswer {
  const { status, reason, headers, extensions } = refusal;
  return {
    kind: "json",
    status,
    headers: { ...headersOf(mediaType), ...headers },
    body: { errors: [{ message: reason, ...(extensions && { extensions }) }] },
  };
}

/** The header needs this casing, otherwise Mirage adds a second one. */
function headersOf(mediaType: MediaType): Record<string, string> {
  return { "Content-Type": `${mediaType}; charset=utf-8` };
}
