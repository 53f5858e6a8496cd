import type { ExecutionResult } from "graphql";
import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { attempt, refusalAnswer } from "../request/http_response.ts";
import { parseRequest } from "../request/http_request.ts";
import type { Subscriber } from "../subscriptions/subscriber.ts";
import { createEventStream, type EventStreamOptions } from "./event_stream.ts";
import { toResponse } from "./to_response.ts";

/** The request of an empty batch, which is refused before. */
const NOTHING = { query: "" };

/**
 * Makes the answerer of requests that accept `text/event-stream`: by the graphql-sse protocol,
 * "distinct connections mode". Subscriptions are streamed; a query or a mutation is one event.
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export function createEventStreamHandler(
  executor: Executor,
  subscriber: Subscriber,
  options: EventStreamOptions = {},
): (request: MockRequest) => Promise<Response> {
  return async (request) => {
    const parsed = parseRequest(request, { isTypeRequired: true });
    if (parsed.kind === "refusal") return toResponse(refusalAnswer(parsed, "application/json"));
    const [first = NOTHING] = parsed.requests;
    const subscription = subscriber.subscriptionOf(first);
    const failure = subscription && executor.takeFailure(subscription.name);
    if (subscription !== undefined && failure === undefined) {
      const { signal } = request;
      return createEventStream(subscriber.subscribe(first, { request, signal }), options);
    }
    const outcome = failure ?? await attempt(executor, first, request);
    if (outcome.kind === "result") return createEventStream(once(outcome.result), options);
    return toResponse(
      outcome.kind === "refusal" ? refusalAnswer(outcome, "application/json") : outcome,
    );
  };
}

async function* once(result: ExecutionResult): AsyncIterator<ExecutionResult, undefined> {
  yield await Promise.resolve(result);
}
