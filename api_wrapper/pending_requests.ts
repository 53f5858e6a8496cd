/** A pending request, which `cancel()` cancels. */
export class PendingRequest extends AbortController {
  readonly method: string;
  /** What sent it; each module has its own function. */
  readonly send: unknown;
  /**
   * Why it was cancelled. Not passed to the signal: if the reason is an error of axios's own, its
   * fetch adapter would reject with it and change it.
   */
  reason?: unknown;

  constructor(method: string, send: unknown) {
    super();
    this.method = method;
    this.send = send;
  }
}

/** Every pending request, in the order in which they started. */
export const pending = new Set<PendingRequest>();

/**
 * Runs a function, and passes the requests that it starts before it returns to `collect`. None can
 * settle meanwhile, so they are the last ones in the list. Requests of a nested collection belong
 * to both.
 */
export function collectRequests<Result>(
  start: () => Result,
  collect: (requests: readonly PendingRequest[]) => void,
): Result {
  const { size } = pending;
  try {
    return start();
  } finally {
    collect([...pending].slice(size));
  }
}

/**
 * Cancels every request that is pending now, in every module: each rejects with the client's own
 * cancellation error, for which `axios.isCancel()` returns `true`. Its `cause` is the reason, its
 * `message` the reason's text. Requests that start afterwards, in a catch handler for example, are
 * not affected.
 *
 * @example
 * ```ts
 * import { cancelPendingRequests } from "@trestle/api-wrapper";
 *
 * cancelPendingRequests("The user logged out");
 * ```
 */
export function cancelPendingRequests(reason?: unknown): void {
  cancel([...pending], reason);
}

/** Cancels the requests; the first reason counts. */
export function cancel(requests: readonly PendingRequest[], reason?: unknown): void {
  for (const request of requests) {
    request.reason ??= reason;
    request.abort();
  }
}

/** Whether an error is the client's cancellation, as `axios.isCancel()` does, without importing it. */
export function isCancel(error: unknown): error is Error {
  return !!Object(error).__CANCEL__;
}
