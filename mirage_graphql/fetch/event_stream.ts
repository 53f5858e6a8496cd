import type { ExecutionResult } from "graphql";
import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { parseRequest } from "../request/http_request.ts";
import {
  completeRequest,
  executeRequest,
  refusalResponse,
  toHttpResponse,
} from "../request/http_response.ts";
import type { Subscriber } from "../subscriptions/subscriber.ts";
import { toResponse } from "./fetch_messages.ts";
import { type BodyFormat, type StreamOptions, streamResults } from "./result_body.ts";

/** The request of an empty batch, which has been rejected before. */
const NOTHING = { query: "" };

/**
 * Creates the handler of requests that accept `text/event-stream`: the graphql-sse protocol,
 * "distinct connections mode". Subscriptions are streamed; a query or a mutation is one event.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export function createEventStreamHandler(
  executor: Executor,
  subscriber: Subscriber,
  options: StreamOptions = {},
): (request: MockRequest) => Promise<Response> {
  return async (request) => {
    const parsed = parseRequest(request, { isTypeRequired: true });
    if (parsed.kind === "refusal") return toResponse(refusalResponse(parsed, "application/json"));
    const [received = NOTHING] = parsed.requests;
    const first = await completeRequest(executor, received);
    if ("kind" in first) return toResponse(refusalResponse(first, "application/json"));
    const passed = await executor.passThrough(first, request);
    if (passed !== undefined) return toResponse(toHttpResponse(passed, "application/json"));
    const subscription = subscriber.subscriptionOf(first);
    const { signal } = request;
    const streaming = { ...options, signal };
    const failure = subscription && executor.takeFailure(subscription.name, signal);
    if (subscription !== undefined && failure === undefined) {
      return streamResults(subscriber.subscribe(first, { request, signal }), FORMAT, streaming);
    }
    const outcome = await (failure ?? executeRequest(executor, first, request));
    if (outcome.kind === "result") return streamResults(once(outcome.result), FORMAT, streaming);
    return toResponse(
      outcome.kind === "refusal" ? refusalResponse(outcome, "application/json") : outcome,
    );
  };
}

async function* once(result: ExecutionResult): AsyncIterator<ExecutionResult, undefined> {
  yield await Promise.resolve(result);
}

/** Content-Type of an event stream. */
export const EVENT_STREAM = "text/event-stream; charset=utf-8";

/** Clients ignore it. */
export const COMMENT = ":\n\n";

/** Writes an event; one without data has an empty field, which `EventSource` needs. */
export function toEvent(name: "next" | "complete", data?: object): string {
  return `event: ${name}\ndata:${data === undefined ? "" : ` ${JSON.stringify(data)}`}\n\n`;
}

const FORMAT: BodyFormat = {
  type: EVENT_STREAM,
  start: COMMENT,
  heartbeat: COMMENT,
  end: /* @__PURE__ */ toEvent("complete"),
  write: (result) => toEvent("next", result),
  fail: (message) => toEvent("next", { errors: [{ message }] }),
};
