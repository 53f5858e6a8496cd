import type { Deliver, Executor } from "../execution/executor.ts";
import type { MockRequest } from "../execution/graphql_request.ts";
import { deliverSubscription } from "../streams/deliver_streams.ts";
import { EVENTS } from "../streams/event_stream.ts";
import { hasParts } from "../streams/execute_parts.ts";
import { answerInParts, MULTIPART } from "../streams/multipart.ts";
import { type ResultsOptions, type StreamOptions, streamResults } from "../streams/result_body.ts";
import { ResultStream } from "../streams/result_stream.ts";
import {
  acceptsMultipartSubscription,
  headerOf,
  incrementalSpecOf,
  parseRequest,
  prefersEventStream,
} from "./http_request.ts";
import {
  handleHttpRequest,
  type HttpOptions,
  type HttpResponse,
  refusalResponse,
  toHttpResponse,
} from "./http_response.ts";
import type { StreamHandler } from "./route_handler.ts";
import { createSingleConnections } from "./single_connection.ts";

/** How requests are answered that accept streams. */
export interface StreamHandlerOptions extends HttpOptions, StreamOptions {
  /**
   * Milliseconds before each part but the first of a response to `@defer` or `@stream`.
   * @default {0}
   */
  readonly deferLatency?: number;
}

/**
 * Creates the handler of requests that accept streams: it keeps those that clients have reserved.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 * @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
export function createStreamHandler(
  executor: Executor,
  { heartbeat, deferLatency = 0, ...options }: StreamHandlerOptions = {},
): StreamHandler {
  const answerSingle = createSingleConnections(executor, { heartbeat });
  return async (request) => {
    const single = answerSingle(request);
    if (single !== undefined) return await single;
    const accept = headerOf(request, "accept") ?? null;
    const { signal } = request;
    if (prefersEventStream(accept)) {
      return await answerEvents(executor, request, { heartbeat, signal });
    }
    const deliver = deliverAccepted(accept, heartbeat, deferLatency);
    return await handleHttpRequest(executor, request, { ...options, deliver });
  };
}

/** A subscription is streamed, a query or a mutation is one event, and what is rejected is JSON. */
async function answerEvents(
  executor: Executor,
  request: MockRequest,
  options: ResultsOptions,
): Promise<HttpResponse | Response> {
  const parsed = parseRequest(request, { isTypeRequired: true });
  if (parsed.kind === "refusal") return refusalResponse(parsed, "application/json");
  const [received = NOTHING] = parsed.requests;
  const outcome = await executor.run(received, request, { deliver: deliverSubscription });
  if (!("kind" in outcome)) return streamResults(outcome, EVENTS, options);
  return outcome.kind === "result"
    ? streamResults(new ResultStream(outcome.result), EVENTS, options)
    : toHttpResponse(outcome, "application/json");
}

/** The request of an empty batch, which has been rejected before. */
const NOTHING = { query: "" };

/** Delivers subscriptions and parts as `multipart/mixed` if the client accepts them. */
function deliverAccepted(
  accept: string | null,
  heartbeat: number | undefined,
  deferLatency: number,
): Deliver<Response> {
  const spec = incrementalSpecOf(accept);
  const takesSubscription = acceptsMultipartSubscription(accept);
  return (pending, signal) => {
    if (spec !== undefined && hasParts(pending)) {
      return answerInParts(pending, spec, deferLatency, signal);
    }
    const results = takesSubscription ? deliverSubscription(pending, signal) : undefined;
    return results instanceof ResultStream
      ? streamResults(results, MULTIPART, { heartbeat, signal })
      : results;
  };
}
