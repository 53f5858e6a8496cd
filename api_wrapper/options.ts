/**
 * `useApi()` with options: first data, callbacks, aborting what a newer call overtakes; and the
 * progress of an upload or download.
 *
 * @module
 */
import type { AxiosProgressEvent, AxiosRequestConfig } from "axios";
import { getCurrentScope, onScopeDispose, type ShallowRef, shallowRef } from "vue";
import {
  type ApiFunction,
  type ApiResult,
  useApi as useLatest,
  type UseApiReturn,
} from "./use_api.ts";

/** How `useApi()` calls its function, and whom it tells. */
export interface UseApiOptions<Args extends readonly unknown[], Data, Initial> {
  /**
   * Calls the function at once; must be `false` if it requires arguments.
   * @default {true}
   */
  readonly immediate?: boolean;
  /** What `data` is until a call succeeds. @default {undefined} */
  readonly initialData?: Initial;
  /**
   * With `"abort"`, a call aborts the requests of those that it overtakes, whatever their method;
   * without it they continue, and are ignored.
   */
  readonly latest?: "abort";
  /**
   * Runs once the latest call has succeeded and `data` is written. What it throws is an unhandled
   * rejection; `call()` settles as without it.
   */
  readonly onSuccess?: (data: Data, args: Args) => void;
  /** The same once the latest call has failed and `error` is written; not if it was cancelled. */
  readonly onError?: (error: Error, args: Args) => void;
}

/** What `useApi()` of the main entry returns; `data` begins as `initialData`. */
export interface UseApiWithData<Args extends readonly unknown[], Result extends ApiResult, Initial>
  extends Omit<UseApiReturn<Args, Result>, "data"> {
  /** `data` of the latest successful call, `initialData` before the first. */
  readonly data: ShallowRef<Result["data"] | Initial>;
}

/**
 * Does what `useApi()` of the main entry does, with options.
 *
 * @example
 * ```ts
 * import { api, cancelPendingRequests } from "@trestle/api-wrapper";
 * import { useApi } from "@trestle/api-wrapper/options";
 * import axios from "axios";
 *
 * const posts = api("/posts", axios.create({ baseURL: "https://example.org/api" }));
 * const search = useApi((text: string) => posts.get<string[]>("", { params: { text } }), {
 *   immediate: false,
 *   initialData: [],
 *   latest: "abort",
 *   onError: (error) => console.warn(error.message),
 * });
 * const count = () => search.data.value.length;
 * ```
 */
export function useApi<
  Args extends readonly unknown[],
  Result extends ApiResult,
  const Initial = undefined,
>(
  apiFunction: ApiFunction<Args, Result> & (() => unknown),
  options?: UseApiOptions<Args, Result["data"], Initial>,
): UseApiWithData<Args, Result, Initial>;
/** The same for a function that requires arguments. */
export function useApi<
  Args extends readonly unknown[],
  Result extends ApiResult,
  const Initial = undefined,
>(
  apiFunction: ApiFunction<Args, Result>,
  options: UseApiOptions<Args, Result["data"], Initial> & { readonly immediate: false },
): UseApiWithData<Args, Result, Initial>;
export function useApi(
  apiFunction: ApiFunction<readonly unknown[], ApiResult>,
  options: UseApiOptions<readonly unknown[], unknown, unknown> = {},
): UseApiWithData<readonly unknown[], ApiResult, unknown> {
  const { immediate = true, initialData, latest, onSuccess, onError } = options;
  const state = useLatest(apiFunction, false);
  const { data, error, loading } = state;
  data.value = initialData;
  let last: object | undefined;
  let isDisposed = false;

  function call(...args: readonly unknown[]): Promise<ApiResult> {
    if (latest === "abort" && loading.value) state.abort("A newer call has begun");
    const settled = state.call(...args);
    const own = last = {};
    const isLast = () => last === own && !isDisposed;
    settled.then((result) => {
      if (isLast()) onSuccess?.(result.data, args);
    }, () => {
      if (isLast() && error.value) onError?.(error.value, args);
    });
    return settled;
  }

  function abort(reason?: unknown): void {
    last = undefined;
    state.abort(reason);
  }

  if (getCurrentScope()) onScopeDispose(() => isDisposed = true);
  if (immediate) call().catch(() => {});
  return { ...state, call, abort };
}

/** How far a transfer is. */
export interface Progress {
  /** Bytes so far. */
  readonly loaded: number;
  /** Bytes in all, if the server or the browser says so. */
  readonly total?: number | undefined;
  /** From 0 to 1, if `total` is known. */
  readonly ratio?: number | undefined;
}

/** What `useProgress()` returns. */
export interface UseProgressReturn {
  /** Of the request that was tracked last; `undefined` until it has transferred something. */
  readonly progress: Readonly<ShallowRef<Progress | undefined>>;
  /**
   * A request's config that reports to `progress`, and to the callbacks of `config`; what was
   * tracked before is no longer reported.
   */
  readonly track: (config?: AxiosRequestConfig) => AxiosRequestConfig;
}

/**
 * Keeps the progress of a request's body while it is sent, then of its response.
 *
 * @example
 * ```ts
 * import { api } from "@trestle/api-wrapper";
 * import { useApi, useProgress } from "@trestle/api-wrapper/options";
 * import axios from "axios";
 *
 * const files = api("/files", axios.create({ baseURL: "https://example.org/api" }));
 * const { progress, track } = useProgress();
 * const { call } = useApi((file: Blob) => files.post(file, track()), { immediate: false });
 * const percent = () => Math.round(100 * (progress.value?.ratio ?? 0));
 * ```
 */
export function useProgress(): UseProgressReturn {
  const progress = shallowRef<Progress>();
  let tracked: object | undefined;

  function track(config: AxiosRequestConfig = {}): AxiosRequestConfig {
    const own = tracked = {};
    progress.value = undefined;
    const report =
      (tell: AxiosRequestConfig["onUploadProgress"]) => (event: AxiosProgressEvent) => {
        if (tracked === own) {
          const { loaded, total, progress: ratio } = event;
          progress.value = { loaded, total, ratio };
        }
        tell?.(event);
      };
    return {
      ...config,
      onUploadProgress: report(config.onUploadProgress),
      onDownloadProgress: report(config.onDownloadProgress),
    };
  }

  return { progress, track };
}
