import type { AxiosRequestConfig, AxiosResponse } from "axios";
import { joinUrl } from "./join_url.ts";
import { cancel, isCancel, pending, PendingRequest } from "./pending_requests.ts";

/** What a module passes to its client in addition to the caller's config. */
export interface SentRequest {
  /** HTTP method in lower case. */
  readonly method: string;
  /** URL of the module with the path below it. */
  readonly url: string;
  /** Body of the request, if it has one. */
  readonly data?: unknown;
  /** Aborts when the request is cancelled. */
  readonly signal: AbortSignal;
}

/** What a module needs from its client: every axios instance has it, whatever its declared type. */
export interface ApiInstance {
  /** Sends a request. */
  request(config: SentRequest): PromiseLike<unknown>;
  /** Defaults of every request; only the signal is read here. */
  readonly defaults?: { readonly signal?: unknown };
}

/**
 * The `url` of a request, relative to its module's own: an id or a path, such as `7`,
 * `"7/comments"` or `"?page=2"`.
 */
export type ApiPath = string | number;

/**
 * The requests of one module. Each promise resolves with the client's response. It rejects with the
 * client's error; for a bad argument it rejects with a `TypeError` and nothing is sent. No method
 * throws.
 */
export interface Api {
  /** Reads the collection, or what a path below it names. */
  get<Data = unknown>(url?: ApiPath, config?: AxiosRequestConfig): Promise<AxiosResponse<Data>>;
  /** Adds an entry to the collection. */
  post<Data = unknown>(data?: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse<Data>>;
  /** Replaces an entry, or what the module's own URL names if `url` is empty or `undefined`. */
  put<Data = unknown>(
    url: ApiPath | undefined,
    data: unknown,
    config?: AxiosRequestConfig,
  ): Promise<AxiosResponse<Data>>;
  /**
   * Changes part of an entry, or of what the module's own URL names if `url` is empty or
   * `undefined`.
   */
  patch<Data = unknown>(
    url: ApiPath | undefined,
    data: unknown,
    config?: AxiosRequestConfig,
  ): Promise<AxiosResponse<Data>>;
  /** Removes an entry. If `url` is missing or empty, the promise rejects and nothing is sent. */
  delete<Data = unknown>(url: ApiPath, config?: AxiosRequestConfig): Promise<AxiosResponse<Data>>;
  /** Cancels this module's pending requests, as `cancelPendingRequests()` does for all modules. */
  cancelPendingRequests(reason?: unknown): void;
}

/**
 * Creates a module of requests below one URL, sent by an axios instance. Every request can be
 * cancelled; `config.signal` and `config.cancelToken` are respected as well.
 *
 * @example
 * ```ts
 * import { api } from "@trestle/api-wrapper";
 * import axios from "axios";
 *
 * interface Post {
 *   id: number;
 *   title: string;
 * }
 *
 * const posts = api("/posts", axios.create({ baseURL: "https://example.org/api" }));
 * const titles = async () => (await posts.get<Post[]>()).data.map(({ title }) => title);
 * ```
 */
export function api(url: string, instance: ApiInstance): Api {
  async function send<Data>(
    method: string,
    path: ApiPath = "",
    config: AxiosRequestConfig = {},
    data: unknown = config.data,
  ): Promise<AxiosResponse<Data>> {
    const target = toTarget(url, method, path);
    const request = new PendingRequest(method, send);
    // The client's types promise less than an AbortSignal; the client itself needs a whole one.
    const outer = (config.signal ?? instance.defaults?.signal) as AbortSignal | undefined;
    const abort = () => outer?.aborted && cancel([request], outer.reason);
    abort();
    outer?.addEventListener("abort", abort);
    pending.add(request);
    try {
      const sent = { ...config, method, url: target, data, signal: request.signal };
      return await instance.request(sent) as AxiosResponse<Data>;
    } catch (error) {
      const { reason } = request;
      if (reason !== undefined && isCancel(error)) {
        error.cause = reason;
        error.message = String(reason);
      }
      throw error;
    } finally {
      pending.delete(request);
      outer?.removeEventListener("abort", abort);
    }
  }

  return {
    get: (path, config) => send("get", path, config),
    post: (data, config) => send("post", "", config, data),
    put: (path, data, config) => send("put", path, config, data),
    patch: (path, data, config) => send("patch", path, config, data),
    delete: (path, config) => send("delete", path, config),
    cancelPendingRequests: (reason) =>
      cancel([...pending].filter((request) => request.send === send), reason),
  };
}

/** The URL of a request; a path has whole characters, and that of `delete` names something. */
function toTarget(url: string, method: string, path: ApiPath): string {
  const isPath = typeof path === "string" || Number.isFinite(path);
  const names = method !== "delete" || /^\/*[^/?#]/.test(`${path}`);
  const target = isPath && names && /^\P{Cs}*$/u.test(`${path}`) && joinUrl(url, `${path}`);
  if (typeof target === "string") return target;
  throw new TypeError(`Cannot ${method} "${url}/${path}": bad path`);
}
