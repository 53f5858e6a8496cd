import { abortableFetch } from "../../testing/abortable_fetch.ts";
import { bearerOf } from "../../testing/callers_file.ts";
import { type Answer, toAnswer } from "../../testing/http_caller.ts";

/** A request of a caller. */
export interface ApiRequest {
  /** Name of the caller. @default {"worker"} */
  readonly caller?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  /** Gives up the request. @default {after 90 s} */
  readonly signal?: AbortSignal;
  /** Whose connections are used. @default {those of `fetch()`} */
  readonly client?: Deno.HttpClient;
}

/** Sends requests to the HTTP API. */
export interface ApiClient {
  readonly url: string;
  /** Resolves once the response begins. */
  send(path: string, request?: ApiRequest): Promise<Response>;
  /** Resolves with the whole response. */
  ask(path: string, request?: ApiRequest): Promise<Answer>;
  /** Posts JSON to `/api`. */
  post(body: object, request?: ApiRequest): Promise<Answer>;
}

/** How long a request may take that nobody gives up. */
export const LONGEST_MS = 90_000;

/** Creates a client of the HTTP API for all callers. */
export function createApiClient(url: string): ApiClient {
  const send = (path: string, { caller = "worker", headers, ...init }: ApiRequest = {}) =>
    abortableFetch(url + path, { ...init, headers: { ...bearerOf(caller), ...headers } });
  const ask = async (path: string, request: ApiRequest = {}) => {
    using limit = timeLimit(LONGEST_MS);
    return await toAnswer(await send(path, { signal: limit.signal, ...request }));
  };
  return {
    url,
    send,
    ask,
    post: (body, request = {}) =>
      ask("/api", {
        ...request,
        method: "POST",
        headers: { "content-type": "application/json", ...request.headers },
        body: JSON.stringify(body),
      }),
  };
}

/**
 * A signal that aborts after a while, until disposal. Unlike that of `AbortSignal.any()`, it is
 * never garbage-collected before it has aborted.
 */
export function timeLimit(ms: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException("gone", "AbortError")), ms);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
