import { isJsonType } from "./content_type.ts";
import type { GraphQLRequest, MockRequest } from "./graphql_request.ts";
import { headerOf } from "./header_of.ts";
import { type Refusal, refuse } from "./outcome.ts";
import { parseOne } from "./parse_one.ts";

/** Whether several GraphQL requests may come at once. */
export interface BatchOptions {
  /**
   * Takes arrays of requests: `true` for at most 10 at once, or another bound.
   * @default {false}
   */
  readonly batch?: boolean | { readonly max: number };
}

/** How requests are read. */
export interface ParseOptions extends BatchOptions {
  /**
   * Refuses a body that names no type, as a server on a network must.
   * @default {false}
   */
  readonly isTypeRequired?: boolean;
}

/** The GraphQL requests of an HTTP request. */
export interface ParsedRequests {
  readonly kind: "requests";
  /** One, or those of a batch. */
  readonly requests: readonly GraphQLRequest[];
  /** Whether they came as an array, so that the answer is one. */
  readonly isBatch: boolean;
}

const DEFAULT_MAX_BATCH = 10;

/** Reads the GraphQL request of an HTTP request, by GraphQL over HTTP, "Request". */
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
  const type = headerOf(request, "content-type");
  const { isTypeRequired = false } = options;
  if (type === undefined ? isTypeRequired : !isJsonType(type)) {
    return refuse(
      415,
      `Cannot read a body of type "${type ?? ""}": send it as Content-Type: application/json`,
    );
  }
  const { requestBody } = request;
  if (typeof requestBody !== "string") return parseBody(requestBody, options);
  try {
    return parseBody(JSON.parse(requestBody), options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(400, `Cannot read the body: it is not JSON, ${reason}`);
  }
}

/** Reads a body that is parsed already: one GraphQL request, or a batch of them. */
export function parseBody(body: unknown, options: ParseOptions = {}): ParsedRequests | Refusal {
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
    return refuse(400, "Cannot answer an array of requests: batches are off, see the option batch");
  }
  const max = batch === true ? DEFAULT_MAX_BATCH : batch.max;
  if (bodies.length === 0) return refuse(400, "Cannot answer an empty array of requests");
  if (bodies.length > max) {
    return refuse(413, `Cannot answer ${bodies.length} requests at once: ${max} is the most`);
  }
  const requests: GraphQLRequest[] = [];
  for (const body of bodies) {
    const parsed = parseOne(body);
    if ("kind" in parsed) return parsed;
    requests.push(parsed);
  }
  return { kind: "requests", requests, isBatch: true };
}

function parseQueryString(params: Readonly<Record<string, unknown>>): ParsedRequests | Refusal {
  const variables = parseJsonParameter("variables", params.variables);
  if (!variables.ok) return variables.refusal;
  const extensions = parseJsonParameter("extensions", params.extensions);
  if (!extensions.ok) return extensions.refusal;
  const parsed = parseOne({
    query: params.query,
    operationName: params.operationName,
    variables: variables.value,
    extensions: extensions.value,
  });
  return "kind" in parsed ? parsed : { kind: "requests", requests: [parsed], isBatch: false };
}

type JsonParameter =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

function parseJsonParameter(name: string, text: unknown): JsonParameter {
  if (typeof text !== "string" || text === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, refusal: refuse(400, `Cannot read parameter "${name}": it is not JSON`) };
  }
}
