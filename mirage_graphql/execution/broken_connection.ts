import type { MockRequest } from "./graphql_request.ts";

/** What a failed request is notified of; `target` is the request. */
interface RequestEvent {
  readonly type: "readystatechange" | "error" | "loadend";
  readonly target: MockRequest;
}

/** What a request has whose connection can be broken. */
export interface BreakableRequest {
  /** Notifies of an event; `error` means a broken connection, as with `XMLHttpRequest`. */
  dispatchEvent(event: { readonly type: string }): void;
}

/** A request that can fail: Pretender's `XMLHttpRequest`, or that of a fetch interceptor. */
interface FailingRequest extends MockRequest {
  dispatchEvent(event: RequestEvent): unknown;
}

/**
 * Fails a request as a broken connection does: `fetch` rejects with a `TypeError`, and an
 * `XMLHttpRequest` notifies its `error` listeners. The promise stays pending, so that Mirage
 * answers nothing; it rejects if the request is a plain object of a direct caller.
 */
export function breakConnection(request: MockRequest): Promise<never> {
  if (!canFail(request)) {
    return Promise.reject(new TypeError("Cannot answer: the connection was broken, as planned"));
  }
  // the state in which browsers leave a request that failed
  Object.assign(request, { readyState: 4, status: 0 });
  for (const type of ["readystatechange", "error", "loadend"] as const) {
    notify(request, { type, target: request });
  }
  return new Promise(() => {});
}

function canFail(request: MockRequest): request is FailingRequest {
  return "dispatchEvent" in request && typeof request.dispatchEvent === "function";
}

/** Pretender calls `onloadend` by itself, but neither `onerror` nor `onreadystatechange`. */
function notify(request: FailingRequest, event: RequestEvent): void {
  request.dispatchEvent(event);
  const listener: unknown = event.type === "loadend"
    ? undefined
    : Reflect.get(request, `on${event.type}`);
  if (typeof listener === "function") listener.call(request, event);
}
