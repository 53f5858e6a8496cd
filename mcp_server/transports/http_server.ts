import { allowOrigin, answerPreflight } from "./cors.ts";
import { checkAddress, checkCaller, type Gate } from "./guard.ts";
import { problemResponse } from "./problem.ts";
import type { Peer } from "./tcp_table.ts";

/** Who sent a request that passed the gate. */
export interface Sender {
  /** Digest prefix of the caller's token. */
  readonly caller?: string | undefined;
  /** The connection by which the request came. */
  readonly connection: Connection;
}

/** A connection, as `Deno.serve` tells of it. */
export interface Connection {
  readonly remoteAddr: Peer;
}

/** Answers a request. */
export type Handler = (request: Request, sender: Sender) => Response | Promise<Response>;

/** The handlers of one path by method. An `open` path asks for no token. */
export interface Route {
  readonly methods: Readonly<Record<string, Handler>>;
  readonly open?: boolean;
}

/**
 * Makes the handler of the whole HTTP server. Host and Origin are checked first, then path, method
 * and token; only then does a route see the request.
 */
export function createHttpHandler(
  routes: ReadonlyMap<string, Route>,
  gate: Gate,
  onError: (error: unknown) => void,
): (request: Request, connection: Connection) => Promise<Response> {
  return async (request, connection) => {
    const refused = checkAddress(request, gate);
    if (refused !== undefined) return problemResponse(refused);
    try {
      return allowOrigin(request, await route({ request, connection }, routes, gate));
    } catch (error) {
      onError(error);
      const detail = "The server failed to answer; its log says why";
      return problemResponse({ status: 500, code: "INTERNAL", detail });
    }
  };
}

function route(
  { request, connection }: { request: Request; connection: Connection },
  routes: ReadonlyMap<string, Route>,
  gate: Gate,
): Response | Promise<Response> {
  const path = pathOf(request.url);
  const found = routes.get(path);
  if (found === undefined) return notFound(path, routes);
  const preflight = answerPreflight(request);
  if (preflight !== undefined) return preflight;
  const { methods } = found;
  const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (handler === undefined) return methodNotAllowed(request.method, found);
  if (found.open === true) return handler(request, { connection });
  const { caller, problem } = checkCaller(request, gate);
  return problem === undefined
    ? handler(request, { caller, connection })
    : problemResponse(problem);
}

/** The path of a URL that the server itself made, without the cost of parsing it. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}

function notFound(path: string, routes: ReadonlyMap<string, Route>): Response {
  const detail = `There is no "${path}" here; there is ${[...routes.keys()].join(", ")}`;
  return problemResponse({ status: 404, code: "NOT_FOUND", detail });
}

function methodNotAllowed(method: string, { methods }: Route): Response {
  const allow = Object.keys(methods).join(", ");
  return problemResponse({
    status: 405,
    code: "METHOD_NOT_ALLOWED",
    detail: `${method} is not served here; send ${allow}`,
    headers: { allow },
  });
}
