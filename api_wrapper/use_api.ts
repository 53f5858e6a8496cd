import { getCurrentScope, onScopeDispose, type ShallowRef, shallowRef } from "vue";
import {
  cancel,
  collectRequests,
  isCancel,
  pending,
  type PendingRequest,
} from "./pending_requests.ts";

/** What an API function resolves with: the client's response, or any object with `data`. */
export interface ApiResult {
  /** What the server has sent. */
  readonly data: unknown;
}

/** A function that starts its requests before its first `await`: only those can be cancelled. */
export type ApiFunction<Args extends readonly unknown[], Result extends ApiResult> = (
  ...args: Args
) => PromiseLike<Result>;

/** The second argument of `useApi()`; it must be `false` if the function requires arguments. */
export type Immediate<Args extends readonly unknown[]> = [] extends Args ? [immediate?: boolean]
  : [immediate: false];

/** The state of an API function's latest call, with the functions that call and stop it. */
export interface UseApiReturn<Args extends readonly unknown[], Result extends ApiResult> {
  /** Whether the latest call is still pending. */
  readonly loading: Readonly<ShallowRef<boolean>>;
  /** `data` of the latest successful call; kept while a reload runs and if it fails. */
  readonly data: ShallowRef<Result["data"] | undefined>;
  /** What the latest call failed with; a cancellation is not a failure. */
  readonly error: ShallowRef<Error | undefined>;
  /**
   * Calls the API function. Its promise settles like the function's. If a newer call has overtaken
   * it, the promise still settles, but no state is written.
   */
  readonly call: (...args: Args) => Promise<Result>;
  /**
   * Cancels the requests of every pending call and ends `loading`; these calls write no more state.
   */
  readonly abort: (reason?: unknown) => void;
}

/**
 * Calls an API function at once, or when `call()` is called, and keeps the state of the latest
 * call. When the scope in which it was created ends (component, Pinia store, effect scope), its
 * pending GET requests are cancelled and no more state is written; other requests continue.
 *
 * @example
 * ```ts
 * import { api, useApi } from "@trestle/api-wrapper";
 * import axios from "axios";
 *
 * const posts = api("/posts", axios.create({ baseURL: "https://example.org/api" }));
 * const { loading, data, error, call } = useApi((id: number) => posts.get<string>(id), false);
 * const show = (id: number) => call(id).catch(() => {});
 * ```
 */
export function useApi<Args extends readonly unknown[], Result extends ApiResult>(
  apiFunction: ApiFunction<Args, Result>,
  ...options: Immediate<Args>
): UseApiReturn<Args, Result>;
export function useApi(
  apiFunction: ApiFunction<readonly unknown[], ApiResult>,
  immediate: boolean = true,
): UseApiReturn<readonly unknown[], ApiResult> {
  const loading = shallowRef(false);
  const data = shallowRef<unknown>();
  const error = shallowRef<Error>();
  const started = new WeakSet<PendingRequest>();
  let latest: object | undefined;
  let isDisposed = false;

  async function call(...args: readonly unknown[]): Promise<ApiResult> {
    const requests: PendingRequest[] = [];
    if (!isDisposed) {
      latest = requests;
      loading.value = true;
      error.value = undefined;
    }
    try {
      const result = await collectRequests(() => apiFunction(...args), collect);
      if (latest === requests) data.value = result.data;
      return result;
    } catch (reason) {
      if (latest === requests && !isCancelled(requests, reason)) error.value = toError(reason);
      throw reason;
    } finally {
      if (latest === requests) loading.value = false;
    }

    function collect(all: readonly PendingRequest[]): void {
      for (const request of all) {
        requests.push(request);
        started.add(request);
      }
    }
  }

  function abort(reason?: unknown): void {
    latest = undefined;
    if (!isDisposed) loading.value = false;
    cancel([...pending].filter((request) => started.has(request)), reason);
  }

  function dispose(): void {
    latest = undefined;
    isDisposed = true;
    cancel([...pending].filter((request) => request.method === "get" && started.has(request)));
  }

  if (getCurrentScope()) onScopeDispose(dispose);
  if (immediate) call().catch(() => {});
  return { loading, data, error, call, abort };
}

/**
 * An interceptor may have wrapped a cancellation in another error, so the requests are checked too.
 */
function isCancelled(requests: readonly PendingRequest[], reason: unknown): boolean {
  return isCancel(reason) || requests.some(({ signal }) => signal.aborted);
}

/** What was thrown, unchanged: a client throws errors, but an interceptor may throw anything. */
function toError(reason: unknown): Error {
  return (reason ??
    new Error("Cannot get the error: nothing was thrown")) as Error;
}
