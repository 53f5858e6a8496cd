import type { Executor } from "../request/executor.ts";
import type { MockRequest } from "../request/graphql_request.ts";
import { headerOf } from "../request/http_request.ts";
import { acceptsMultipartSubscription, prefersEventStream } from "../request/media_types.ts";
import { createSubscriber } from "../subscriptions/subscriber.ts";
import { createEventStreamHandler } from "./event_stream.ts";
import { createMultipartHandler } from "./multipart_subscription.ts";
import type { StreamOptions } from "./result_body.ts";
import { createSingleConnections } from "./single_connection.ts";

/** Answers with a stream; `undefined` if the request doesn't accept one. */
export type StreamHandler = (request: MockRequest) => Promise<Response | undefined>;

/** Creates the handler of all requests of an executor that are answered with a stream. */
export function createStreamHandler(
  executor: Executor,
  options: StreamOptions = {},
): StreamHandler {
  const subscriber = createSubscriber(executor);
  const answerSingle = createSingleConnections(executor, subscriber, options);
  const answerEvents = createEventStreamHandler(executor, subscriber, options);
  const answerParts = createMultipartHandler(executor, subscriber, options);
  return async (request) => {
    const single = answerSingle(request);
    if (single !== undefined) return await single;
    const accept = headerOf(request, "accept") ?? null;
    if (prefersEventStream(accept)) return await answerEvents(request);
    return acceptsMultipartSubscription(accept) ? await answerParts(request) : undefined;
  };
}

const handlers = new WeakMap<Executor, StreamHandler>();

/** The stream handler of an executor, which keeps the streams that clients have reserved. */
export function streamHandlerOf(executor: Executor): StreamHandler {
  const found = handlers.get(executor) ?? createStreamHandler(executor);
  handlers.set(executor, found);
  return found;
}
