import { type Caller, NOBODY } from "../access/caller.ts";
import {
  checkHost,
  checkOrigin,
  type HostRule,
  type OriginRule,
  type Verdict,
} from "../access/host_and_origin.ts";
import type { Identification, Identify } from "../access/token.ts";
import type { RequestContext } from "./http_listener.ts";
import { type Problem, problemResponse } from "./problem.ts";
import { createRouteFinder, type RouteFinder } from "./route_finder.ts";
import type { StreamShares } from "./stream_shares.ts";

/** Who sent a request that passed the checks, and over which connection. */
export interface Sender extends RequestContext {
  /** Who sent it; nobody in particular on a path that is open. */
  readonly caller: Caller;
  /** Aborts once its rights have changed or it has none; absent if they can't. */
  readonly revoked?: AbortSignal;
  /**
   * Counts the request as one that waits or streams as long as its client likes, until that is disposed
   * of or the response is over; throws a `JobError` (`BUSY`) if its caller, or all, have too many.
   */
  readonly occupy: () => Disposable;
  /** What the path has in the place of `{id}`, not decoded. */
  readonly id?: string | undefined;
}

/** Answers a request. */
export type Handler = (request: Request, sender: Sender) => Response | Promise<Response>;

/**
 * The handlers of one path by method; `{id}` in the path is any segment. An `open` path, or request,
 * requires no token.
 */
export interface Route {
  readonly methods: Readonly<Record<string, Handler>>;
  readonly open?: boolean | ((request: Request) => boolean);
  /** Whether pages of any origin may request it, which can't read the response. @default {false} */
  readonly anyOrigin?: boolean;
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
  const find = createRouteFinder(routes);
  return async (request, context) => {
    const host = hostOf(request, context);
    const misnamed = checkHostName(host, gate);
    if (misnamed !== undefined) return refuse(misnamed, context, gate);
    const path = pathOf(request.url);
    const found = find(path);
    const page = checkOrigin(request.headers.get("origin"), host, gate.origins);
    if (!page.ok && found.route?.anyOrigin !== true) return refuse(toProblem(page), context, gate);
    try {
      const response = await route(request, context, { routes, path, found, gate });
      return page.ok ? allowOrigin(request, response) : response;
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
  { routes, path, found: { route: found, id }, gate }: {
    readonly routes: ReadonlyMap<string, Route>;
    readonly path: string;
    readonly found: ReturnType<RouteFinder<Route>>;
    readonly gate: Gate;
  },
): Response | Promise<Response> {
  const preflight = answerPreflight(request);
  if (preflight !== undefined) return preflight;
  const answer = (identity: Identification) => {
    if (!identity.ok) return refuse(toIdentityProblem(identity), context, gate);
    if (found === undefined) return notFound(path, routes);
    const { methods } = found;
    const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (handler === undefined) return methodNotAllowed(request.method, found);
    const { remoteAddr, overHttp2, exchange } = context;
    const { caller, revoked } = identity;
    if (caller !== NOBODY) exchange.ofCaller();
    const who = revoked === undefined ? { caller } : { caller, revoked };
    const occupy = () => gate.streams.enter(caller, exchange);
    return handler(request, { remoteAddr, overHttp2, exchange, id, occupy, ...who });
  };
  const isOpen = typeof found?.open === "function" ? found.open(request) : found?.open === true;
  const identity = isOpen ? UNIDENTIFIED : gate.identify(request.headers.get("authorization"));
  return identity instanceof Promise ? identity.then(answer) : answer(identity);
}

const UNIDENTIFIED: Identification = Object.freeze({ ok: true, caller: NOBODY });

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
    detail: `${method} is not allowed here; use ${allow}`,
    headers: { allow },
  });
}

/** Who may send requests. */
export interface Gate {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  readonly identify: Identify;
  /** Bounds the requests that wait or stream. */
  readonly streams: StreamShares;
  /** Called with each request that is rejected here: its code, and the address of its client. */
  readonly onRefused: (code: string, address: string, caller?: Caller) => void;
}

function refuse(problem: Problem, { remoteAddr }: RequestContext, gate: Gate): Response {
  gate.onRefused(problem.code, remoteAddr.hostname);
  return problemResponse(problem);
}

/** Rejects a request by its Host, before its body is read. */
function checkHostName(host: string | null, { hosts }: Gate): Problem | undefined {
  if (host === null) {
    const detail = "Send one Host header; HTTP/2, which has none, is served over TLS only";
    return { status: 400, code: "HOST_MISSING", detail };
  }
  const named = checkHost(host, hosts);
  return named.ok ? undefined : toProblem(named);
}

function toProblem({ status, code, reason }: Verdict & { readonly ok: false }): Problem {
  return { status, code, detail: reason };
}

/**
 * HTTP/2 has no Host header; its `:authority` is in the URL (RFC 9113, section 8.3.1). For an HTTP/1.1
 * request without Host, Deno makes up a URL of the server's own name (RFC 9112, section 3.2).
 */
function hostOf(
  request: Request,
  { overHttp2 }: Pick<RequestContext, "overHttp2">,
): string | null {
  const host = request.headers.get("host");
  return host === null && overHttp2 ? new URL(request.url).host : host;
}

/** The problem of a request whose caller is not known (RFC 6750, section 3). */
function toIdentityProblem(refused: Identification & { readonly ok: false }): Problem {
  const { status, code, reason: detail, retryAfterSeconds } = refused;
  const challenge = refused.challenge ?? (status === 401 ? "Bearer" : undefined);
  const headers = {
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  };
  return { status, code, detail, headers };
}

/** What a page of an allowed origin may send and read (Fetch standard, "CORS protocol"). */
const PREFLIGHT: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers": [
    "Authorization, Content-Type, Accept, Prefer, Idempotency-Key, Range, If-None-Match",
    "Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID",
  ].join(", "),
  "access-control-max-age": "600",
};

const EXPOSED = [
  "Mcp-Session-Id, Retry-After, WWW-Authenticate, Location, Preference-Applied, ETag",
  "Accept-Ranges, Content-Range, Trestle-Gap, Trestle-First-Offset",
].join(", ");

/** Answers a preflight request; returns `undefined` for any other request. */
function answerPreflight(request: Request): Response | undefined {
  const { headers, method } = request;
  const isPreflight = method === "OPTIONS" && headers.has("origin") &&
    headers.has("access-control-request-method");
  if (!isPreflight) return undefined;
  return new Response(null, { status: 204, headers: PREFLIGHT });
}

/** Lets the page of an allowed origin read the response; other responses stay unchanged. */
function allowOrigin(request: Request, response: Response): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", EXPOSED);
  response.headers.append("vary", "Origin");
  return response;
}
