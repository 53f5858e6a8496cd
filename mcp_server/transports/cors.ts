/** What a page of an allowed origin may send and read (Fetch standard, "CORS protocol"). */
const PREFLIGHT: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID",
  "access-control-max-age": "600",
};

/** Answers a preflight request; returns `undefined` for any other request. */
export function answerPreflight(request: Request): Response | undefined {
  const { headers, method } = request;
  const isPreflight = method === "OPTIONS" && headers.has("origin") &&
    headers.has("access-control-request-method");
  if (!isPreflight) return undefined;
  return new Response(null, { status: 204, headers: PREFLIGHT });
}

/** Lets the page of an allowed origin read the response; other responses stay unchanged. */
export function allowOrigin(request: Request, response: Response): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set(
    "access-control-expose-headers",
    "Mcp-Session-Id, Retry-After, WWW-Authenticate",
  );
  response.headers.append("vary", "Origin");
  return response;
}
