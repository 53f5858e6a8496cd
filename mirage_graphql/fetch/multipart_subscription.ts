import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { parseRequest } from "../request/http_request.ts";
import { completeRequest, toHttpResponse } from "../request/http_response.ts";
import type { Subscriber } from "../subscriptions/subscriber.ts";
import { toResponse } from "./fetch_messages.ts";
import { type BodyFormat, type StreamOptions, streamResults } from "./result_body.ts";

/** A client reads a part when the next boundary has come, so each part brings that along. */
const BOUNDARY = "\r\n--graphql";

function toPart(body: object, before = ""): string {
  return `${before}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}${BOUNDARY}`;
}

const FORMAT: BodyFormat = {
  type: 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
  start: /* @__PURE__ */ toPart({}, BOUNDARY),
  heartbeat: /* @__PURE__ */ toPart({}),
  end: "--\r\n",
  write: (result) => toPart({ payload: result }),
  fail: (message) => toPart({ payload: null, errors: [{ message }] }),
};

/**
 * Creates the handler of requests that accept `multipart/mixed;subscriptionSpec="1.0"`, as Apollo
 * Client's `HttpLink` does. `undefined` if the request has no subscription that can start: that is
 * answered as any other.
 *
 * @see https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol
 */
export function createMultipartHandler(
  executor: Executor,
  subscriber: Subscriber,
  options: StreamOptions = {},
): (request: MockRequest) => Promise<Response | undefined> {
  return async (request) => {
    const parsed = parseRequest(request, { isTypeRequired: true });
    const received = parsed.kind === "requests" ? parsed.requests[0] : undefined;
    if (received === undefined) return undefined;
    const one = await completeRequest(executor, received);
    const subscription = "kind" in one ? undefined : subscriber.subscriptionOf(one);
    if ("kind" in one || subscription === undefined) return undefined;
    const { signal } = request;
    const other = executor.passThrough(one, request) ??
      executor.takeFailure(subscription.name, signal);
    if (other !== undefined) return toResponse(toHttpResponse(await other, "application/json"));
    const results = subscriber.subscribe(one, { request, signal });
    return streamResults(results, FORMAT, { ...options, signal });
  };
}
