import type { Executor } from "../execution/executor.ts";
import type { MockRequest, PromiseOrValue } from "../execution/graphql_request.ts";
import { refuse } from "../execution/outcome.ts";
import type { BreakableRequest } from "../execution/broken_connection.ts";
import { SHARED_CONNECTION } from "../streams/deliver_streams.ts";
import { SharedStream } from "../streams/event_stream.ts";
import type { StreamOptions } from "../streams/result_body.ts";
import { headerOf, parseRequest, prefersEventStream } from "./http_request.ts";
import { type HttpResponse, refusalResponse, toHttpResponse } from "./http_response.ts";

/** More clients at once take the places of those that have reserved a stream without using it. */
const MAX_STREAMS = 1_000;
/** More operations at once on one stream are rejected. */
const MAX_OPERATIONS = 1_000;

/**
 * Creates the handler of the graphql-sse protocol's "single connection mode": PUT reserves a stream,
 * GET connects to it, POST starts an operation, and DELETE stops one. `undefined` if a request is
 * not of this mode.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export function createSingleConnections(
  executor: Executor,
  { heartbeat = 12_000 }: StreamOptions = {},
): (request: MockRequest) => PromiseOrValue<HttpResponse | Response> | undefined {
  const streams = new Map<string, SharedStream>();
  return (request) => {
    if (isReservation(request)) return reserve(streams);
    const token = headerOf(request, TOKEN_HEADER) ?? request.queryParams?.token;
    if (typeof token !== "string") return undefined;
    const stream = streams.get(token);
    if (stream === undefined) return reject(404, `Cannot find the event stream "${token}"`);
    if (request.method === "DELETE") return stop(stream, request);
    if (!prefersEventStream(headerOf(request, "accept") ?? null)) {
      return run(executor, stream, request);
    }
    if (stream.isConnected) return reject(409, `Cannot connect to "${token}": a client has`);
    return stream.connect(heartbeat, request.signal);
  };
}

/** A PUT with a body is something else. */
function isReservation(request: MockRequest): boolean {
  return request.method === "PUT" && headerOf(request, "content-type") === undefined;
}

const TOKEN_HEADER = "x-graphql-event-stream-token";
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

function reserve(streams: Map<string, SharedStream>): HttpResponse | Response {
  const unused = [...streams.values()].find(({ isConnected }) => !isConnected);
  if (streams.size >= MAX_STREAMS) unused?.return();
  if (streams.size >= MAX_STREAMS) {
    return reject(503, `Cannot reserve an event stream: ${MAX_STREAMS} are connected`);
  }
  const token = newToken();
  streams.set(token, new SharedStream(() => streams.delete(token)));
  return new Response(token, { status: 201, headers: TEXT });
}

/** Pages without https have no `crypto.randomUUID()`. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function stop(stream: SharedStream, { queryParams = {} }: MockRequest): HttpResponse | Response {
  const { operationId } = queryParams;
  if (typeof operationId !== "string") {
    return reject(400, "Cannot stop an operation: the parameter operationId is missing");
  }
  stream.stop(operationId);
  return new Response(null, { status: 200 });
}

async function run(
  executor: Executor,
  stream: SharedStream,
  request: MockRequest,
): Promise<HttpResponse | Response> {
  const parsed = parseRequest(request, { isTypeRequired: true });
  if (parsed.kind === "refusal") return refusalResponse(parsed, "application/json");
  const [received] = parsed.requests;
  const id = received?.extensions?.operationId;
  if (received === undefined || typeof id !== "string") {
    return reject(400, "Cannot start an operation: extensions.operationId is missing");
  }
  if (stream.has(id)) return reject(409, `Cannot start operation "${id}": it runs already`);
  if (stream.size >= MAX_OPERATIONS) {
    return reject(429, `Cannot start operation "${id}": ${MAX_OPERATIONS} run already`);
  }
  const starting = stream.reserve(id);
  const outcome = await executor.run(
    received,
    operationRequestOf(stream, request),
    SHARED_CONNECTION,
  );
  if ("kind" in outcome) {
    stream.release(id, starting);
    const type = outcome.kind === "result"
      ? "application/graphql-response+json"
      : "application/json";
    return toHttpResponse(outcome, type);
  }
  // while a document was looked up, the client may have done anything
  if (stream.release(id, starting)) {
    stream.run(id, outcome);
    return new Response(null, { status: 202 });
  }
  outcome.return();
  return stream.isOver
    ? reject(404, `Cannot start operation "${id}": its stream has ended`)
    : new Response(null, { status: 204 });
}

/**
 * The request of an operation, which can break the stream. It has no signal: the operation continues
 * after its request has been answered.
 */
function operationRequestOf(stream: SharedStream, request: MockRequest): MockRequest {
  const { method, url, requestHeaders, queryParams, params } = request;
  const breakable: MockRequest & BreakableRequest = {
    ...{ method, url, requestHeaders, queryParams, params },
    dispatchEvent({ type }) {
      if (type === "error") stream.breakOff();
    },
  };
  return breakable;
}

function reject(status: number, reason: string): HttpResponse {
  return refusalResponse(refuse(status, reason), "application/json");
}
