/**
 * Which pages may read responses: those of any origin, of the listed origins, or only of the
 * handler's own.
 */
export type CorsOption = boolean | readonly string[];

/** What a page may send (Fetch standard, "CORS protocol"). */
const PREFLIGHT: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Max-Age": "600",
};

/** Responds to a preflight request; `undefined` if the request is not one. */
export function answerPreflight(request: Request, cors: CorsOption): Response | undefined {
  const { headers, method } = request;
  if (cors === false || method !== "OPTIONS") return undefined;
  if (!headers.has("access-control-request-method")) return undefined;
  const asked = headers.get("access-control-request-headers");
  const response = new Response(null, { status: 204, headers: PREFLIGHT });
  if (asked !== null) response.headers.set("Access-Control-Allow-Headers", asked);
  response.headers.append("Vary", "Access-Control-Request-Headers");
  return allowOrigin(request, response, cors);
}

/** Allows the page of a listed origin to read the response; others get it unchanged. */
export function allowOrigin(request: Request, response: Response, cors: CorsOption): Response {
  if (cors === false) return response;
  if (cors === true) {
    response.headers.set("Access-Control-Allow-Origin", "*");
    return response;
  }
  response.headers.append("Vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin !== null && cors.includes(origin)) {
    response.headers.set("Access-Control-Allow-Origin", origin);
  }
  return response;
}
