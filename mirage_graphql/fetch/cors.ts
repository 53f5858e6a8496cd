/** Which pages may read answers: those of any origin, of the listed ones, or of none but ours. */
export type CorsOption = boolean | readonly string[];

/** What a page may send (Fetch standard, "CORS protocol"). */
const PREFLIGHT: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Max-Age": "600",
};

/** Answers a preflight request; `undefined` where the request is none. */
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

/** Lets the page of an allowed origin read the answer; others get it as it is. */
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
