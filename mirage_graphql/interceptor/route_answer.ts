/** Statuses whose answers have no body (Fetch standard, "null body status"). */
const NULL_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** Makes the `Response` of what a Mirage route answered: status, headers and serialized body. */
export function toFetchResponse(rack: unknown, request: Request): Response {
  if (!Array.isArray(rack)) {
    throw new TypeError(`Cannot answer ${request.method} "${request.url}": the route gave nothing`);
  }
  const [status, headers, body] = rack;
  const hasBody = request.method !== "HEAD" && !NULL_BODY.has(status);
  const response = new Response(hasBody ? body : null, { status, headers });
  Object.defineProperty(response, "url", { value: request.url });
  return response;
}

/** The answer of a route that failed, in the form that Mirage gives to handlers that throw. */
export function toErrorRack(error: unknown, request: Request): unknown[] {
  const message = error instanceof Error ? error.message : String(error);
  const detail = error instanceof Error ? error.stack : message;
  const stack = `Mirage: Your ${request.method} handler for the url ${request.url} ` +
    `threw an error:\n\n${detail}`;
  return [500, { "Content-Type": "application/json" }, JSON.stringify({ message, stack })];
}
