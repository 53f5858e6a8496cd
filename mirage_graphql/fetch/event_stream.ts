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
  options: EventStreamOptions = {},
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
    const failure = subscription && executor.takeFailure(subscription.name, request.signal);
    if (subscription !== undefined && failure === undefined) {
      const { signal } = request;
      return createEventStream(subscriber.subscribe(first, { request, signal }), options);
    }
    const outcome = await (failure ?? executeRequest(executor, first, request));
    if (outcome.kind === "result") return createEventStream(once(outcome.result), options);
    return toResponse(
      outcome.kind === "refusal" ? refusalResponse(outcome, "application/json") : outcome,
    );
  };
}

async function* once(result: ExecutionResult): AsyncIterator<ExecutionResult, undefined> {
  yield await Promise.resolve(result);
}

/** The source of results, which ends on `return()`. */
export type ResultSource = AsyncIterator<ExecutionResult, undefined>;

/** How a stream of events is kept open. */
export interface EventStreamOptions {
  /**
   * Milliseconds between comments, which keep proxies from closing the connection.
   * @default {12_000}
   */
  readonly heartbeat?: number;
}

/** Browsers report an open connection only after the first bytes. */
const COMMENT = ":\n\n";

/** `no-transform` prevents servers from buffering events until there is enough to compress. */
const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * Streams results as server-sent events by the graphql-sse protocol: `next` for each, then
 * `complete`. The source is ended as soon as the client disconnects.
 */
function createEventStream(
  source: ResultSource,
  { heartbeat = 12_000 }: EventStreamOptions = {},
): Response {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearInterval(timer);
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(encoder.encode(COMMENT));
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(COMMENT));
      }, heartbeat);
    },
    async pull(controller) {
      const { done, value } = await readResult(source);
      if (isOver) return;
      controller.enqueue(encoder.encode(done ? toEvent("complete") : toEvent("next", value)));
      if (!done) return;
      end();
      controller.close();
    },
    async cancel() {
      end();
      await source.return?.();
    },
  });
  return new NativeResponse(body, { headers: HEADERS });
}

/** A source that fails yields one more result, with the error. */
async function readResult(
  source: ResultSource,
): Promise<{ done?: boolean; value?: object | undefined }> {
  try {
    return await source.next();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { value: { errors: [{ message }] } };
  }
}

function toEvent(name: "next" | "complete", data?: object): string {
  return `event: ${name}\ndata:${data === undefined ? "" : ` ${JSON.stringify(data)}`}\n\n`;
}

/**
 * The platform's own `Response`. While Mirage intercepts requests in a page, the global one is
 * replaced by one without streams.
 */
const NativeResponse: typeof Response = globalThis.Response;
