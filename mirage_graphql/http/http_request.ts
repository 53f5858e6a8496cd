import {
  type MockRequest,
  MultipartOperations,
  type ReceivedRequest,
} from "../execution/graphql_request.ts";
import { parseOne } from "../execution/executor.ts";
import { type Refusal, refuse } from "../execution/outcome.ts";
import type { IncrementalSpec } from "../streams/payloads.ts";

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

/** The media types of responses, by GraphQL over HTTP, "Media Types". */
export type MediaType = "application/json" | "application/graphql-response+json";

const SUPPORTED: readonly MediaType[] = ["application/json", "application/graphql-response+json"];

const PARTS = "multipart/mixed";

const KNOWN = new Map<string, MediaType | undefined>();
const MAX_KNOWN = 50;

/**
 * Chooses the media type of the response: the one that the client prefers, the first of equals, and
 * `application/json` for clients without `Accept`, and for those that accept only parts, for what
 * has none. `undefined` if the client accepts neither.
 */
export function negotiate(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept === "*/*" || accept.trim() === "") return "application/json";
  const known = KNOWN.get(accept);
  if (known !== undefined) return known;
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  const picked = pick(accept, SUPPORTED) ?? (pick(accept, [PARTS]) && "application/json");
  KNOWN.set(accept, picked);
  return picked;
}

const EVENT_STREAM = "text/event-stream";

/**
 * Whether a client prefers an event stream to JSON. Some clients accept both with every query, and
 * list the event stream last.
 */
export function prefersEventStream(accept: string | null): boolean {
  if (accept === null || !accept.toLowerCase().includes(EVENT_STREAM)) return false;
  return pick(accept, [...SUPPORTED, EVENT_STREAM]) === EVENT_STREAM;
}

/**
 * The format in which a client reads a response in parts: the one that it prefers, and that of
 * 2022-08-24 for clients that name none. `undefined` if it knows none of them; a wildcard does not
 * indicate that.
 */
export function incrementalSpecOf(accept: string | null): IncrementalSpec | undefined {
  if (accept?.toLowerCase().includes(PARTS) !== true) return undefined;
  const ranges = accept.toLowerCase().split(",").map((text) => ({
    ...parseRange(text),
    spec: /;\s*(\w+spec\s*=[^;]*)/.exec(text)?.[1]?.replace(/["\s]/g, "") ?? DEFAULT_SPEC,
  })).filter(({ range, quality }) => range === PARTS && quality > 0);
  const best = ranges.sort((a, b) => b.quality - a.quality);
  for (const { spec } of best) {
    const found = SPECS.find((one) => one.toLowerCase() === spec);
    if (found !== undefined) return found;
  }
  return undefined;
}

const SPECS: readonly IncrementalSpec[] = ["deferSpec=20220824", "incrementalSpec=v0.2"];
const DEFAULT_SPEC = "deferspec=20220824";

/**
 * Whether a client takes a subscription as `multipart/mixed;subscriptionSpec="1.0"`, which Apollo
 * Client's `HttpLink` asks for.
 */
export function acceptsMultipartSubscription(accept: string | null): boolean {
  return accept !== null && accept.toLowerCase().split(",").some((range) => {
    const [type, ...parameters] = range.split(";").map((part) => part.trim());
    return type === PARTS &&
      parameters.some((parameter) => /^subscriptionspec="?1\.0"?$/.test(parameter));
  });
}

function pick<Type extends string>(accept: string, supported: readonly Type[]): Type | undefined {
  const ranges = accept.toLowerCase().split(",").map(parseRange);
  const best = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ range }) => range);
  for (const { range } of best) {
    const found = supported.find((type) => matches(range, type) && !refused.includes(type));
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseRange(text: string): { range: string; quality: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function matches(range: string, type: string): boolean {
  return range === type || range === "*/*" || range === `${type.split("/")[0]}/*`;
}

const JSON_TYPE = /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/;
const UTF_8 = /^"?utf-?8"?$/i;

/** Whether a body of that `Content-Type` is JSON in UTF-8. */
export function isJsonType(contentType: string): boolean {
  if (contentType === "application/json") return true;
  const [type = "", ...parameters] = contentType.toLowerCase().split(";").map((part) =>
    part.trim()
  );
  if (!JSON_TYPE.test(type)) return false;
  return parameters.every((parameter) =>
    !parameter.startsWith("charset=") || UTF_8.test(parameter.slice("charset=".length))
  );
}

/** Whether a body is a form with files. */
export function isFormType(contentType: string | null): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? "");
}
