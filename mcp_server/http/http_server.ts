import {
  type Caller,
  checkHost,
  checkOrigin,
  type HostRule,
  type Identification,
  type Identify,
  isAdmin,
  NOBODY,
  type OriginRule,
  type Scope,
} from "../access/caller.ts";
import { JobError } from "../tool/job.ts";
import type { DisconnectWatcher } from "./disconnect_watcher.ts";
import { HttpClient, type RequestContext, type RequestHandler } from "./http_connection.ts";
import { type Problem, problemOf, problemResponse, toJobProblem } from "./problem.ts";
import { createScopeCheck, type ScopeCheck } from "./scopes.ts";
import type { StreamShares } from "./stream_shares.ts";

/** Who sent a request that passed the checks, and over which connection. */
export interface Sender extends RequestContext {
  /** Who sent it; nobody in particular on a path that is open. */
  readonly caller: Caller;
  /** Aborts once its rights have changed or it has none; absent if they can't. */
  readonly revoked?: AbortSignal | undefined;
  /** Whose signal aborts when the client disconnects before its response has begun. */
  readonly client: { readonly signal: AbortSignal };
  /**
   * Counts the request as one that waits or streams as long as its client likes, until that is disposed
   * of or the response is over; throws a `JobError` (`BUSY`) if its caller, or all, have too many.
   */
  readonly occupy: () => Disposable;
  /** The answer to a caller whose token lacks one of these scopes, or `undefined` if it has all. */
  readonly rejectWithout: (needed: readonly Scope[]) => Response | undefined;
  /** What the path has in the place of `{id}`, not decoded. */
  readonly id?: string | undefined;
}

/** Answers a request; a `JobError` that it throws is answered with its problem. */
export type Handler = (request: Request, sender: Sender) => Response | Promise<Response>;

/** A handler that is loaded with the first request for it. */
export function loadedOnce(load: () => Promise<Handler>): Handler {
  let loaded: Handler | undefined;
  return async (request, sender) => {
    loaded ??= await load();
    return await loaded(request, sender);
  };
}

/** What one method of one path does, and who may use it. */
export interface Route {
  readonly method: "GET" | "HEAD" | "POST" | "DELETE";
  /** `{id}` in it is any segment. */
  readonly path: string;
  readonly handler: Handler;
  /**
   * The scope that a token of OAuth needs, or what finds the scopes. @default {none: any token will do,
   * or the handler asks for scopes with `rejectWithout()`}
   */
  readonly scope?: Scope | ((sender: Sender) => readonly Scope[] | Promise<readonly Scope[]>);
  /** What only an admin may do here, as the rejection of others says. */
  readonly admin?: string;
  /** Whether it requires no token; a client without one then learns the methods of the path. */
  readonly open?: boolean | ((request: Request) => boolean);
  /** Whether pages of any origin may request it, which can't read the response. @default {false} */
  readonly anyOrigin?: boolean;
}

/** The routes of a path that is read with GET, or with HEAD, to which Deno sends no body. */
export function forReading(route: Omit<Route, "method">): Route[] {
  return [{ ...route, method: "GET" }, { ...route, method: "HEAD" }];
}

/** Who may send requests. */
export interface Gate {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  readonly identify: Identify;
  /** Bounds the requests that wait or stream. */
  readonly streams: StreamShares;
  readonly watch: DisconnectWatcher;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
  /** Where clients find out how to get a token of OAuth; `undefined` without OAuth. */
  readonly metadataUrl: string | undefined;
  /** Called with each request that is rejected here: its code, and the address of its client. */
  readonly onRefused: (code: string, address: string, caller?: Caller) => void;
}

/**
 * Creates the handler of the whole HTTP server. Host and Origin are checked first, then the token,
 * and only then path and method: without a token a client learns only which paths are open.
 */
export function createHttpHandler(
  routes: readonly Route[],
  gate: Gate,
  onError: (error: unknown) => void,
): RequestHandler {
  const paths = Map.groupBy(routes, ({ path }) => path);
  const find = createRouteFinder(paths);
  const checkScopes = createScopeCheck(gate.metadataUrl);
  const answer = async (request: Request, context: RequestContext, { route: found, id }: Found) => {
    const preflight = answerPreflight(request);
    if (preflight !== undefined) return preflight;
    const identity = found?.some((one) => isOpen(one, request))
      ? UNIDENTIFIED
      : await gate.identify(request.headers.get("authorization"));
    if (!identity.ok) return refuse(toIdentityProblem(identity), context, gate);
    if (found === undefined) return notFound(pathOf(request.url), [...paths.keys()]);
    const route = found.find(({ method }) => method === request.method);
    if (route === undefined) return methodNotAllowed(request.method, found);
    using client = new HttpClient(request, context, gate.watch);
    const sender = toSender(identity, context, { gate, checkScopes, client, id });
    return await rejectCaller(route, sender) ?? await route.handler(request, sender);
  };
  const handle: RequestHandler = async (request, context) => {
    const host = hostOf(request, context);
    const misnamed = checkHostName(host, gate);
    if (misnamed !== undefined) return refuse(misnamed, context, gate);
    const found = find(pathOf(request.url));
    const page = checkOrigin(request.headers.get("origin"), host, gate.origins);
    if (!page.ok && !found.route?.some(({ anyOrigin }) => anyOrigin)) {
      return refuse(problemOf(page.code, page.reason), context, gate);
    }
    try {
      const response = await answer(request, context, found).catch(toJobResponse);
      return page.ok ? allowOrigin(request, response) : response;
    } catch (error) {
      onError(error);
      return problemResponse(
        problemOf("INTERNAL", "The server failed to answer; its log says why"),
      );
    }
  };
  return async (request, context) => {
    const response = await handle(request, context);
    if (gate.stopping.aborted) closeAfter(response, context);
    return response;
  };
}

/**
 * Closes a connection of HTTP/1.1 after its answer, so that its client does not send another request on
 * one that is about to be closed (RFC 9112, section 9.6).
 */
function closeAfter(response: Response, { overHttp2 }: RequestContext): void {
  if (!overHttp2) response.headers.set("connection", "close");
}

const UNIDENTIFIED = Object.freeze({ ok: true, caller: NOBODY }) satisfies Identification;

function isOpen({ open = false }: Route, request: Request): boolean {
  return typeof open === "function" ? open(request) : open;
}

function toJobResponse(error: unknown): Response {
  if (error instanceof JobError) return problemResponse(toJobProblem(error));
  throw error;
}

function toSender(
  { caller, revoked }: Identification & { readonly ok: true },
  { remoteAddr, overHttp2, exchange }: RequestContext,
  { gate, checkScopes, client, id }: {
    readonly gate: Gate;
    readonly checkScopes: ScopeCheck;
    readonly client: HttpClient;
    readonly id: string | undefined;
  },
): Sender {
  if (caller !== NOBODY) exchange.ofCaller();
  return {
    remoteAddr,
    overHttp2,
    exchange,
    caller,
    revoked,
    client,
    id,
    occupy: () => gate.streams.enter(caller, exchange),
    rejectWithout: (needed) => {
      const problem = checkScopes(caller, needed);
      if (problem === undefined) return undefined;
      gate.onRefused(problem.code, remoteAddr.hostname, caller);
      return problemResponse(problem);
    },
  };
}

/** The answer to a caller that may not use a route, or `undefined` if it may. */
async function rejectCaller(
  { scope, admin }: Route,
  sender: Sender,
): Promise<Response | undefined> {
  if (admin !== undefined) return rejectOthers(sender, admin);
  if (scope === undefined || sender.caller.scopes === undefined) return undefined;
  return sender.rejectWithout(typeof scope === "string" ? [scope] : await scope(sender));
}

/**
 * The answer to a caller that is no admin, or `undefined` for one that is: a better token is offered
 * only if the callers file would allow it.
 */
function rejectOthers({ caller, rejectWithout }: Sender, action: string): Response | undefined {
  if (isAdmin(caller)) return undefined;
  const rejection = caller.rights?.admin === false ? undefined : rejectWithout(["admin"]);
  if (rejection !== undefined) return rejection;
  const detail = `The caller "${caller.name}" can't ${action}: its rights need "admin": true`;
  return problemResponse(problemOf("NOT_ALLOWED", detail));
}

/** The path of a URL that the server itself made, without the cost of parsing it. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}

/** What belongs to a path, and what the path has in the place of `{id}`. */
interface Found<T = readonly Route[]> {
  readonly route?: T | undefined;
  readonly id?: string | undefined;
}

const PLACE = "{id}";

/**
 * Creates the lookup of a path among paths of which some have one `{id}`: any segment that is not
 * empty. A path without `{id}` is preferred.
 */
export function createRouteFinder<T>(routes: ReadonlyMap<string, T>): (path: string) => Found<T> {
  const templates = [...routes].filter(([path]) => path.includes(PLACE)).map(([path, route]) => {
    const at = path.indexOf(PLACE);
    return { start: path.slice(0, at), end: path.slice(at + PLACE.length), route };
  });
  return (path) => {
    const exact = routes.get(path);
    if (exact !== undefined && !path.includes(PLACE)) return { route: exact };
    for (const { start, end, route } of templates) {
      if (path.length <= start.length + end.length) continue;
      if (!path.startsWith(start) || !path.endsWith(end)) continue;
      const id = path.slice(start.length, path.length - end.length);
      if (!id.includes("/")) return { route, id };
    }
    return {};
  };
}

function notFound(path: string, paths: readonly string[]): Response {
  const detail = `There is no "${path}" here; there is ${paths.join(", ")}`;
  return problemResponse(problemOf("NOT_FOUND", detail));
}

function methodNotAllowed(method: string, routes: readonly Route[]): Response {
  const allow = routes.map((route) => route.method).join(", ");
  const detail = `${method} is not allowed here; use ${allow}`;
  return problemResponse(problemOf("METHOD_NOT_ALLOWED", detail, { allow }));
}

function refuse(problem: Problem, { remoteAddr }: RequestContext, gate: Gate): Response {
  gate.onRefused(problem.code, remoteAddr.hostname);
  return problemResponse(problem);
}

/** Rejects a request by its Host, before its body is read. */
function checkHostName(host: string | null, { hosts }: Gate): Problem | undefined {
  if (host === null) {
    const detail = "Send one Host header; HTTP/2, which has none, is served over TLS only";
    return problemOf("HOST_MISSING", detail);
  }
  const named = checkHost(host, hosts);
  return named.ok ? undefined : problemOf(named.code, named.reason);
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
  const { code, reason, retryAfterSeconds } = refused;
  const challenge = refused.challenge ?? (code === "UNAUTHORIZED" ? "Bearer" : undefined);
  return problemOf(code, reason, {
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
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
