import {
  type MockRequest,
  MultipartOperations,
  type ReceivedRequest,
} from "../execution/graphql_request.ts";
import { type Refusal, refuse } from "../execution/outcome.ts";
import { parseOne } from "../execution/parse_request.ts";
import { isJsonType } from "./media_types.ts";

/** Whether an HTTP request may contain several GraphQL requests. */
export interface BatchOptions {
  /**
   * Accepts arrays of requests: `true` for at most 10 at once, or another limit.
   * @default {false}
   */
  readonly batch?: boolean | { readonly max: number };
}

/** How requests are read. */
export interface ParseOptions extends BatchOptions {
  /**
   * Rejects a body without a content type, as a server on a network must.
   * @default {false}
   */
  readonly isTypeRequired?: boolean;
}

/** The GraphQL requests of an HTTP request. */
export interface ParsedRequests {
  readonly kind: "requests";
  /** One request, or those of a batch. */
  readonly requests: readonly ReceivedRequest[];
  /** Whether they were sent as an array, so that the response is one too. */
  readonly isBatch: boolean;
}

const DEFAULT_MAX_BATCH = 10;

/** Parses the GraphQL request of an HTTP request, by GraphQL over HTTP, "Request". */
export function parseRequest(
  request: MockRequest,
  options: ParseOptions = {},
): ParsedRequests | Refusal {
  const method = request.method?.toUpperCase() ?? "POST";
  if (method === "GET") return parseQueryString(request.queryParams ?? {});
  if (method === "POST") return parsePost(request, options);
  return refuse(405, `Cannot answer ${method}: send GET or POST`, {
    headers: { Allow: "GET, POST" },
  });
}

function parsePost(request: MockRequest, options: ParseOptions): ParsedRequests | Refusal {
  const { requestBody } = request;
  if (requestBody instanceof MultipartOperations) return parseBody(requestBody.operations, options);
  const type = headerOf(request, "content-type");
  const { isTypeRequired = false } = options;
  if (type === undefined ? isTypeRequired : !isJsonType(type)) {
    return refuse(
      415,
      `Cannot read a body of type "${type ?? ""}": send it as Content-Type: application/json`,
    );
  }
  if (typeof requestBody !== "string") return parseBody(requestBody, options);
  try {
    return parseBody(JSON.parse(requestBody), options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(400, `Cannot read the body: it is not JSON, ${reason}`);
  }
}

/** Parses a body from its JSON value: one GraphQL request, or a batch of them. */
function parseBody(body: unknown, options: ParseOptions = {}): ParsedRequests | Refusal {
  if (Array.isArray(body)) return parseBatch(body, options.batch ?? false);
  const parsed = parseOne(body);
  if ("kind" in parsed) return parsed;
  return { kind: "requests", requests: [parsed], isBatch: false };
}

function parseBatch(
  bodies: readonly unknown[],
  batch: boolean | { readonly max: number },
): ParsedRequests | Refusal {
  if (batch === false) {
    return refuse(
      400,
      "Cannot answer an array of requests: batches are disabled, see the option batch",
    );
  }
  const max = batch === true ? DEFAULT_MAX_BATCH : batch.max;
  if (bodies.length === 0) return refuse(400, "Cannot answer an empty array of requests");
  if (bodies.length > max) {
    return refuse(413, `Cannot answer ${bodies.length} requests at once: ${max} is the most`);
  }
  const requests: ReceivedRequest[] = [];
  for (const body of bodies) {
    const parsed = parseOne(body);
    if ("kind" in parsed) return parsed;
    requests.push(parsed);
  }
  return { kind: "requests", requests, isBatch: true };
}

function parseQueryString(params: Readonly<Record<string, unknown>>): ParsedRequests | Refusal {
  const variables = parseJsonParameter("variables", params.variables);
  if ("kind" in variables) return variables;
  const extensions = parseJsonParameter("extensions", params.extensions);
  if ("kind" in extensions) return extensions;
  const parsed = parseOne({
    query: params.query,
    operationName: params.operationName,
    variables: variables.value,
    extensions: extensions.value,
    documentId: params.documentId,
    id: params.id,
  });
  return "kind" in parsed ? parsed : { kind: "requests", requests: [parsed], isBatch: false };
}

function parseJsonParameter(name: string, text: unknown): { readonly value: unknown } | Refusal {
  if (typeof text !== "string" || text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return refuse(400, `Cannot read parameter "${name}": it is not JSON`);
  }
}

/**
 * Rejects a batch limit that is not a positive integer.
 *
 * @throws {RangeError} If the limit is not an integer of at least 1.
 */
export function checkBatch({ batch = false }: BatchOptions): void {
  if (typeof batch === "boolean") return;
  const max: unknown = Object(batch).max;
  if (Number.isSafeInteger(max) && Number(max) >= 1) return;
  throw new RangeError(
    `Cannot use batch "${
      JSON.stringify(batch)
    }": it must be true, false or { max }, a whole number`,
  );
}

/** A header of a request, in any casing; `undefined` if it is missing. */
export function headerOf(request: MockRequest, lowerName: string): string | undefined {
  const headers = request.requestHeaders;
  if (headers === undefined || headers === null) return undefined;
  const value = headers[lowerName];
  if (value !== undefined) return value;
  const name = Object.keys(headers).find((key) => key.toLowerCase() === lowerName);
  return name === undefined ? undefined : headers[name];
}
