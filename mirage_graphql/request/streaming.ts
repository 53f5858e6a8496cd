import type { Executor } from "./executor.ts";
import type { MockRequest } from "./graphql_request.ts";

/** Streams the response to a request; resolves with `false` if it needs no stream. */
export type StreamResponse = (executor: Executor) => Promise<boolean>;

/** How the responses to the requests of an interceptor are streamed, which Mirage passes on. */
const streamed = new WeakMap<MockRequest, StreamResponse>();

/** Sets how the response to a request is streamed. */
export function setStreaming(request: MockRequest, stream: StreamResponse): void {
  streamed.set(request, stream);
}

/** How the response to a request is streamed; `undefined` if it can't be. */
export function streamingOf(request: MockRequest): StreamResponse | undefined {
  return streamed.get(request);
}
