import * as mirage from "miragejs";

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
