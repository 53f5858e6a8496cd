import { parseQueryParams, type QueryParams } from "./query_params.ts";

/** The request that a Mirage route handler gets. */
export interface RouteRequest {
  readonly method: string;
  readonly url: string;
  /** Text of the body, or the `FormData` that was sent; `null` where there is none. */
  readonly requestBody: string | FormData | null;
  /** Headers by lower-case name. */
  readonly requestHeaders: Record<string, string>;
  readonly params: Record<string, string>;
  readonly queryParams: QueryParams;
  readonly signal: AbortSignal;
}

/** Reads a request for the route that it takes. */
export async function toRouteRequest(
  request: Request,
  params: Record<string, string>,
  sentBody: unknown,
): Promise<RouteRequest> {
  return {
    method: request.method,
    url: request.url,
    requestBody: await readBody(request, sentBody),
    requestHeaders: Object.fromEntries(request.headers),
    params,
    queryParams: parseQueryParams(new URL(request.url)),
    signal: request.signal,
  };
}

async function readBody(request: Request, sentBody: unknown): Promise<string | FormData | null> {
  if (sentBody instanceof FormData) return sentBody;
  return request.body === null ? null : await request.text();
}
