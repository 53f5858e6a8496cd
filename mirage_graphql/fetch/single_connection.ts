import type { BreakableRequest } from "../request/broken_connection.ts";
import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { headerOf, parseRequest } from "../request/http_request.ts";
import { completeRequest, refusalResponse, toHttpResponse } from "../request/http_response.ts";
import { prefersEventStream } from "../request/media_types.ts";
import { type Refusal, refuse } from "../request/outcome.ts";
import { createOperationStreams, type StartOperation } from "../subscriptions/operation_streams.ts";
import type { Subscriber } from "../subscriptions/subscriber.ts";
import { toResponse } from "./fetch_messages.ts";
import type { StreamOptions } from "./result_body.ts";
import { SharedStream } from "./shared_stream.ts";

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
  subscriber: Subscriber,
  { heartbeat = 12_000 }: StreamOptions = {},
): (request: MockRequest) => Promise<Response> | undefined {
  const streams = new Map<string, SharedStream>();
  const start = createOperationStreams(executor, subscriber);
  return (request) => {
    if (isReservation(request)) return reserve(streams);
    const token = headerOf(request, TOKEN_HEADER) ?? request.queryParams?.token;
    if (typeof token !== "string") return undefined;
    const stream = streams.get(token);
    if (stream === undefined) return reject(404, `Cannot find the event stream "${token}"`);
    if (request.method === "DELETE") return stop(stream, request);
    if (!prefersEventStream(headerOf(request, "accept") ?? null)) {
      return run(stream, request, { executor, start });
    }
    if (stream.isConnected) return reject(409, `Cannot connect to "${token}": a client has`);
    return Promise.resolve(stream.connect(heartbeat, request.signal));
  };
}

/** A PUT with a body is something else. */
function isReservation(request: MockRequest): boolean {
  return request.method === "PUT" && headerOf(request, "content-type") === undefined;
}

const TOKEN_HEADER = "x-graphql-event-stream-token";
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };

function reserve(streams: Map<string, SharedStream>): Promise<Response> {
  const unused = [...streams.values()].find(({ isConnected }) => !isConnected);
  if (streams.size >= MAX_STREAMS) unused?.end();
  if (streams.size >= MAX_STREAMS) {
    return reject(503, `Cannot reserve an event stream: ${MAX_STREAMS} are connected`);
  }
  const token = newToken();
  streams.set(token, new SharedStream(() => streams.delete(token)));
  return Promise.resolve(new Response(token, { status: 201, headers: TEXT }));
}

/** Pages without https have no `crypto.randomUUID()`. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function stop(stream: SharedStream, { queryParams = {} }: MockRequest): Promise<Response> {
  const { operationId } = queryParams;
  if (typeof operationId !== "string") {
    return reject(400, "Cannot stop an operation: the parameter operationId is missing");
  }
  stream.stop(operationId);
  return Promise.resolve(new Response(null, { status: 200 }));
}

/** What starts operations. */
interface Starter {
  readonly executor: Executor;
  readonly start: StartOperation;
}

async function run(
  stream: SharedStream,
  request: MockRequest,
  { executor, start }: Starter,
): Promise<Response> {
  const parsed = parseRequest(request, { isTypeRequired: true });
  if (parsed.kind === "refusal") return toResponse(refusalResponse(parsed, "application/json"));
  const [received] = parsed.requests;
  const id = received?.extensions?.operationId;
  if (received === undefined || typeof id !== "string") {
    return reject(400, "Cannot start an operation: extensions.operationId is missing");
  }
  const one = await completeRequest(executor, received);
  if ("kind" in one) return toResponse(refusalResponse(one, "application/json"));
  // checked last: while a document was looked up, the client may have done anything
  if (stream.isOver) return reject(404, `Cannot start operation "${id}": its stream has ended`);
  if (stream.has(id)) return reject(409, `Cannot start operation "${id}": it runs already`);
  if (stream.size >= MAX_OPERATIONS) {
    return reject(429, `Cannot start operation "${id}": ${MAX_OPERATIONS} run already`);
  }
  const validated = executor.documents.get(one.query);
  if ("errors" in validated) {
    const result = { errors: validated.errors };
    return toResponse(
      toHttpResponse({ kind: "result", result }, "application/graphql-response+json"),
    );
  }
  stream.run(id, start(one, operationRequestOf(stream, request)));
  return new Response(null, { status: 202 });
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

function reject(status: number, reason: string): Promise<Response> {
  const refusal: Refusal = refuse(status, reason);
  return toResponse(refusalResponse(refusal, "application/json"));
}
