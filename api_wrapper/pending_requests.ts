/** A request under way, which `cancel()` cancels. */
export type PendingRequest = AbortController & {
  readonly method: string;
  /** What has sent it: each module has a function of its own. */
  readonly send: unknown;
  /**
   * Why it was cancelled. The signal is not told: axios's fetch adapter would reject with an error of
   * axios's that is the reason, and change it.
   */
  reason?: unknown;
};

/** Every request that is under way, in the order of their start. */
export const pending = new Set<PendingRequest>();

/**
 * Runs a function, and hands the requests that it has started before it returns to `collect`. None
 * settles meanwhile, so they are the last ones. Those of a collection within belong to both.
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
 * cancellation error, for which `axios.isCancel()` is true. Its `cause` is the reason, its `message`
 * the reason's text. Requests that start afterwards, in a catch handler for example, run on.
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
