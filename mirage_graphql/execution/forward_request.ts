import { type ExecutionResult, GraphQLError, print } from "graphql";
import {
  type ExecutableRequest,
  type MockRequest,
  MultipartOperations,
} from "./graphql_request.ts";
import { isBodyless } from "./outcome.ts";
import { network } from "./passthrough.ts";

/** Headers that belong to one connection, or to a body that is written again. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|transfer-encoding|content-length|accept-encoding|te|upgrade)$/i;

/** Headers of a response whose body has been decoded. */
const DECODED_HEADERS = ["content-encoding", "content-length", "transfer-encoding"];

/** Where a request is sent, and how. */
export interface ForwardOptions {
  /** Address of the API. @default {the request's own} */
  readonly url?: string;
  /**
   * Sends it by itself, because the request has other operations.
   * @default {false}
   */
  readonly isAlone?: boolean;
  /** Ends the wait. @default {the request's own} */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request to the network, with its method, its headers and its body.
 *
 * @throws {TypeError} If the network can't be reached.
 */
export async function forwardRequest(
  one: ExecutableRequest,
  request: MockRequest,
  options: ForwardOptions = {},
): Promise<Response> {
  const { url = request.url ?? "", isAlone = false, signal = request.signal } = options;
  const { requestBody, method = "POST" } = request;
  const body = isAlone ? toJson(one) : bodyOf(requestBody, method);
  const headers = headersOf(request, body);
  if (isAlone) headers.set("Content-Type", "application/json");
  const init = { method: isAlone ? "POST" : method, headers, ...(signal && { signal }) };
  const response = await network.fetch(url, body === undefined ? init : { ...init, body });
  const received = new network.Headers(response.headers);
  for (const name of DECODED_HEADERS) received.delete(name);
  return new network.Response(isBodyless(response.status) ? null : response.body, {
    status: response.status,
    headers: received,
  });
}

/** The result in a response; what has none becomes an error. */
export async function readResult(response: Response): Promise<ExecutionResult> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (isResult(body)) return body;
  } catch {
    // the error says what came instead
  }
  const start = text.slice(0, 100);
  const message = `Cannot read the response of the API: HTTP status ${response.status}, "${start}"`;
  return { errors: [new GraphQLError(message)] };
}

/** The boundary: the API is one that clients of GraphQL read. */
function isResult(body: unknown): body is ExecutionResult {
  return typeof body === "object" && body !== null && ("data" in body || "errors" in body);
}

function bodyOf(requestBody: unknown, method: string): string | FormData | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  if (requestBody instanceof MultipartOperations) return requestBody.form;
  return typeof requestBody === "string" ? requestBody : JSON.stringify(requestBody);
}

function toJson({ query, variables, operationName, extensions }: ExecutableRequest): string {
  const text = typeof query === "string" ? query : print(query);
  return JSON.stringify({ query: text, variables, operationName, extensions });
}

/** A form gets a content type of its own, with its boundary. */
function headersOf({ requestHeaders = {} }: MockRequest, body: unknown): Headers {
  const headers = new network.Headers();
  for (const [name, value] of Object.entries(requestHeaders)) {
    if (OWN_HEADERS.test(name) || value === undefined) continue;
    if (typeof body !== "string" && name.toLowerCase() === "content-type") continue;
    headers.set(name, value);
  }
  return headers;
}
