import { isBodyless } from "../execution/outcome.ts";
import type { Intercepted } from "../http/route_handler.ts";
import { createStreamHandler } from "../http/stream_handler.ts";

/** The request that a Mirage route handler receives. */
export interface RouteRequest extends Intercepted {
  readonly method: string;
  readonly url: string;
  /** Text of the body, or the `FormData` that was sent; `null` if there is none. */
  readonly requestBody: string | FormData | null;
  /** Headers by lower-case name. */
  readonly requestHeaders: Record<string, string>;
  readonly params: Record<string, string>;
  readonly queryParams: QueryParams;
  readonly signal: AbortSignal;
  /** Subscriptions are streamed. */
  readonly canStream: true;
  /** Notifies of an event; `error` means a broken connection, as with `XMLHttpRequest`. */
  dispatchEvent(event: { readonly type: string }): void;
}

/** What a call has in addition to its request. */
export interface RouteCallOptions {
  /** The body that was passed to `fetch`. */
  readonly sentBody: unknown;
  /** Called if the route breaks the connection. */
  readonly onError: () => void;
  /** Called if the route responds with a stream. */
  readonly onStream: (response: Response) => void;
}

/** Converts a request for the route that handles it. */
export async function toRouteRequest(
  request: Request,
  params: Record<string, string>,
  { sentBody, onError, onStream }: RouteCallOptions,
): Promise<RouteRequest> {
  return {
    method: request.method,
    url: request.url,
    requestBody: await readBody(request, sentBody),
    requestHeaders: Object.fromEntries(request.headers),
    params,
    queryParams: parseQueryParams(new URL(request.url)),
    signal: request.signal,
    canStream: true,
    createStreams: createStreamHandler,
    respondWith: onStream,
    dispatchEvent({ type }) {
      if (type === "error") onError();
    },
  };
}

async function readBody(request: Request, sentBody: unknown): Promise<string | FormData | null> {
  if (sentBody instanceof FormData) return sentBody;
  if (request.body === null) return null;
  const type = request.headers.get("content-type") ?? "";
  return type.startsWith("multipart/form-data") ? await request.formData() : await request.text();
}

/** Converts the result of a Mirage route: status, headers and serialized body. */
export function toFetchResponse(rack: unknown, request: Request): Response {
  if (!Array.isArray(rack)) {
    throw new TypeError(
      `Cannot answer ${request.method} "${request.url}": the route returned nothing`,
    );
  }
  const [status, headers, body] = rack;
  const hasBody = request.method !== "HEAD" && !isBodyless(status);
  return new Response(hasBody ? body : null, { status, headers });
}

/** Sets the address of a response, which its constructor leaves empty. */
export function withUrl(response: Response, url: string): Response {
  return Object.defineProperty(response, "url", { value: url });
}

/** The response of a route that failed, in the form that Mirage uses for handlers that throw. */
export function toErrorRack(error: unknown, request: Request): unknown[] {
  const message = error instanceof Error ? error.message : String(error);
  const detail = error instanceof Error ? error.stack : message;
  const stack = `Mirage: Your ${request.method} handler for the url ${request.url} ` +
    `threw an error:\n\n${detail}`;
  return [500, { "Content-Type": "application/json" }, JSON.stringify({ message, stack })];
}

/**
 * A query string as Mirage's routes parse it: `ids[]=1&ids[]=2` is a list, a bare name is "true".
 */
export type QueryParams = Record<string, string | string[]>;

/** Reads the query string of a URL. */
export function parseQueryParams(url: URL): QueryParams {
  const params: QueryParams = {};
  for (const pair of url.search.slice(1).split("&")) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    const value = cut < 0 ? "true" : decode(pair.slice(cut + 1));
    if (name.endsWith("[]")) addTo(params, name.slice(0, -2), value);
    else setOwn(params, name, value);
  }
  return params;
}

function addTo(params: QueryParams, name: string, value: string): void {
  const list = Object.hasOwn(params, name) ? params[name] : undefined;
  if (Array.isArray(list)) list.push(value);
  else setOwn(params, name, [value]);
}

/** Even a name such as `__proto__` becomes a parameter. */
function setOwn(params: QueryParams, name: string, value: string | string[]): void {
  Object.defineProperty(params, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
