import * as mirage from "miragejs";
import { GraphQLRouteResponse } from "../http/route_handler.ts";

/** What the interceptor needs of a Mirage server. */
export interface InterceptedServer {
  /** Creates the function that runs a route: it returns status, headers and body. */
  registerRouteHandler(
    verb: string,
    path: string,
    rawHandler: unknown,
    customizedCode: unknown,
    options: RouteOptions,
  ): (request: object) => Promise<unknown>;
  /** Whether responses are logged. */
  shouldLog(): boolean;
  /** Ends the server. */
  shutdown(): void;
}

/** Options of one route. */
export interface RouteOptions {
  /** Milliseconds before the response; `undefined` for those of the server. */
  readonly timing: number | undefined;
  /** Whether a shorthand accepts several ids at once. */
  readonly coalesce: boolean;
}

/** Checks that a value is a Mirage server. */
export function parseServer(server: object): InterceptedServer {
  if (isServer(server)) return server;
  throw new TypeError(`Cannot intercept for "${server}": it is not a Mirage server`);
}

function isServer(server: object): server is InterceptedServer {
  const methods = ["registerRouteHandler", "shouldLog", "shutdown"];
  return methods.every((name) => typeof Reflect.get(server, name) === "function");
}

/**
 * Makes the routes of a server keep the status and the headers of GraphQL responses, if its Mirage is
 * another copy than ours, which doesn't recognize our class: some test runners load the `miragejs` of
 * an app as ES module, and that of its packages as CommonJS.
 */
export function acceptResponses(server: InterceptedServer): void {
  const register = server.registerRouteHandler.bind(server);
  server.registerRouteHandler = (verb, path, rawHandler, customizedCode, options) => {
    const responses = new WeakMap<object, GraphQLRouteResponse>();
    const handle = register(verb, path, watched(rawHandler, responses), customizedCode, options);
    return async (request) => {
      const rack = await handle(request);
      const response = responses.get(request);
      const isKept = Array.isArray(rack) && rack[1] === response?.headers;
      if (response === undefined || isKept) return rack;
      const [status, headers, body] = response.toRackResponse();
      return [status, headers, typeof body === "string" ? body : JSON.stringify(body)];
    };
  };
}

/** A handler that notes the GraphQL response to each request. */
function watched(handler: unknown, responses: WeakMap<object, GraphQLRouteResponse>): unknown {
  if (typeof handler !== "function") return handler;
  return function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(handler, this, args);
    const request = args[1];
    if (!(result instanceof Promise) || typeof request !== "object" || request === null) {
      return result;
    }
    return result.then((response: unknown) => {
      if (response instanceof GraphQLRouteResponse) responses.set(request, response);
      return response;
    });
  };
}

/** The arguments after the path of a route: handler, status and options, in Mirage's order. */
export interface RouteArguments {
  readonly handler: unknown;
  readonly code: unknown;
  readonly options: RouteOptions;
}

const DEFAULT_OPTIONS: RouteOptions = { timing: undefined, coalesce: false };

/** Sorts the arguments of a route as Mirage does: the last one may be the options. */
export function parseRouteArguments(args: readonly unknown[]): RouteArguments {
  const last = args.at(-1);
  const isLastOptions = isOptions(last);
  const [handler, code] = isLastOptions ? args.slice(0, -1) : args;
  return {
    handler,
    code,
    options: isLastOptions ? { ...DEFAULT_OPTIONS, ...last } : DEFAULT_OPTIONS,
  };
}

function isOptions(value: unknown): value is Partial<RouteOptions> {
  return typeof value === "object" && value !== null && ("timing" in value || "coalesce" in value);
}

/** Mirage's own interceptor: Pretender, with the routes of `XMLHttpRequest`. */
export interface XhrInterceptor {
  /** Defines a route, by its method. */
  define(verb: string, path: string, args: readonly unknown[]): void;
  /** Passes requests on to the network. */
  passthrough(...args: unknown[]): void;
  /** Restores `XMLHttpRequest`. */
  shutdown(): void;
}

/** What the routes of both interceptors share. */
const SHARED = ["namespace", "urlPrefix", "timing", "passthroughChecks"];

/** What Pretender replaces besides `XMLHttpRequest`, with versions that can't stream. */
const KEPT = ["fetch", "Headers", "Request", "Response", "AbortController"];

/**
 * Starts Mirage's own interceptor in a page, for `XMLHttpRequest` alone; `undefined` where there is
 * none. `owner` has its settings.
 */
export function createXhrInterceptor(
  owner: object,
  server: object,
  config: object,
): XhrInterceptor | undefined {
  const Pretender: unknown = Reflect.get(mirage, "PretenderInterceptor");
  const isPage = "window" in globalThis && "XMLHttpRequest" in globalThis;
  if (!isPage || typeof Pretender !== "function") return undefined;
  const pretender: object = Reflect.construct(Pretender, []);
  for (const name of SHARED) {
    Object.defineProperty(pretender, name, {
      get: () => Reflect.get(owner, name),
      set: (value) => Reflect.set(owner, name, value),
    });
  }
  const call = (name: string, args: readonly unknown[]) => {
    const method: unknown = Reflect.get(pretender, name);
    if (typeof method === "function") Reflect.apply(method, pretender, args);
  };
  keepFetch(() => call("create", [server, config]));
  return {
    define: (verb, path, args) => call(verb, [path, ...args]),
    passthrough: (...args) => call("passthrough", args),
    shutdown: () => keepFetch(() => call("shutdown", [])),
  };
}

/** Runs a function that replaces `fetch`, and puts it back. */
function keepFetch(act: () => void): void {
  const kept = KEPT.map((name) => [name, Reflect.get(globalThis, name)] as const);
  act();
  for (const [name, value] of kept) Reflect.set(globalThis, name, value);
}
