/** A request under way, which its controller cancels. */
export type PendingRequest = AbortController & {
  readonly method: string;
  /** The module that started it. */
  readonly module: object;
};

const pending = new Set<PendingRequest>();

let collector: ((request: PendingRequest) => void) | undefined;

/** Keeps a request, and tells whoever collects. Returns what forgets it once it settles. */
export function addPending(request: PendingRequest): () => void {
  pending.add(request);
  collector?.(request);
  return () => pending.delete(request);
}

/**
 * Runs a function, and hands each request that it starts before it returns to `collect`. A request
 * that is started in a collection within a collection is handed to both.
 */
export function collectRequests<Result>(
  collect: (request: PendingRequest) => void,
  start: () => Result,
): Result {
  const outer = collector;
  collector = (request) => {
    collect(request);
    outer?.(request);
  };
  try {
    return start();
  } finally {
    collector = outer;
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
  cancelPending(() => true, reason);
}

/** Cancels those of the pending requests that are chosen, and none that starts meanwhile. */
export function cancelPending(
  isChosen: (request: PendingRequest) => boolean,
  reason?: unknown,
): void {
  for (const request of [...pending].filter(isChosen)) request.abort(reason);
}
