import { allowOrigin, answerPreflight } from "./cors.ts";
import { checkAddress, checkCaller, type Gate } from "./guard.ts";
import type { RequestContext } from "./http_listener.ts";
import { problemResponse } from "./problem.ts";

/** Who sent a request that passed the gate, and by which connection. */
export interface Sender extends RequestContext {
  /** Digest prefix of the caller's token. */
  readonly caller?: string | undefined;
}

/** Answers a request. */
export type Handler = (request: Request, sender: Sender) => Response | Promise<Response>;

/** The handlers of one path by method. An `open` path asks for no token. */
export interface Route {
  readonly methods: Readonly<Record<string, Handler>>;
  readonly open?: boolean;
}

/**
 * Creates the handler of the whole HTTP server. Host and Origin are checked first, then the token,
 * and only then path and method: without a token a client learns only which paths are open.
 */
export function createHttpHandler(
  routes: ReadonlyMap<string, Route>,
  gate: Gate,
  onError: (error: unknown) => void,
): (request: Request, context: RequestContext) => Promise<Response> {
  return async (request, context) => {
    const refused = checkAddress(request, context, gate);
    if (refused !== undefined) return problemResponse(refused);
    try {
      return allowOrigin(request, await route(request, context, { routes, gate }));
    } catch (error) {
      onError(error);
      const detail = "The server failed to answer; its log says why";
      return problemResponse({ status: 500, code: "INTERNAL", detail });
    }
  };
}

function route(
  request: Request,
  context: RequestContext,
  { routes, gate }: { routes: ReadonlyMap<string, Route>; gate: Gate },
): Response | Promise<Response> {
  const preflight = answerPreflight(request);
  if (preflight !== undefined) return preflight;
  const path = pathOf(request.url);
  const found = routes.get(path);
  const { caller, problem } = found?.open === true ? {} : checkCaller(request, gate);
  if (problem !== undefined) return problemResponse(problem);
  if (found === undefined) return notFound(path, routes);
  const { methods } = found;
  const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (handler === undefined) return methodNotAllowed(request.method, found);
  const { remoteAddr, overHttp2, exchange } = context;
  return handler(request, { remoteAddr, overHttp2, exchange, caller });
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
