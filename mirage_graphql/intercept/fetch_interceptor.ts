import {
  enterFetchGate,
  InterceptedRoutes,
  leaveFetchGate,
  type PassthroughCheck,
  type RouteInspector,
} from "./intercepted_routes.ts";
import {
  createXhrInterceptor,
  type InterceptedServer,
  parseRouteArguments,
  parseServer,
  type XhrInterceptor,
} from "./mirage_server.ts";
import { defaultOrigin, routePath } from "./routes.ts";

/** How requests are intercepted. */
export interface FetchInterceptorOptions {
  /**
   * Origin of addresses without one, in routes and in calls such as `fetch("/graphql")`.
   * @default {location.origin, or "http://localhost" if there is no location}
   */
  readonly origin?: string;
}

/** Requests that pass through: addresses and predicates, followed by methods if only those pass. */
export type PassthroughArgument = string | PassthroughCheck | readonly string[];

const VERBS = ["get", "post", "put", "delete", "patch", "head", "options"] as const;

/**
 * Directs calls of `globalThis.fetch` to the routes of one Mirage server: on Deno and Node, where
 * Mirage itself intercepts nothing, and in a page, where they stream subscriptions. Mirage's own
 * interceptor then has only `XMLHttpRequest`. Mirage calls its methods; yours are `restore()` and
 * `using`. `server.shutdown()` restores `fetch` too.
 *
 * On Deno and Node it reaches clients that call `fetch`, so set `adapter: "fetch"` for axios;
 * clients that create a `Request` need absolute addresses, such as `http://localhost/graphql`.
 */
export class FetchInterceptor implements Disposable {
  /** Itself, so that `createServer({ ...createFetchInterceptor() })` satisfies Mirage's types. */
  readonly interceptor: FetchInterceptor = this;
  /** Everything else is private, so that the spread above copies nothing else. */
  readonly #routes: InterceptedRoutes;
  #namespace = "";
  #urlPrefix = "";
  #timing: number | undefined;
  #checks: PassthroughCheck[] = [];
  #server: InterceptedServer | undefined;
  #isActive = false;
  #xhr: XhrInterceptor | undefined;

  /** Creates an inactive interceptor; Mirage starts it. */
  constructor(options: FetchInterceptorOptions = {}) {
    const { origin = defaultOrigin() } = options;
    this.#routes = new InterceptedRoutes({
      origin: new URL(origin).origin,
      passthroughChecks: () => this.#checks,
      namespace: () => this.#namespace,
      onAnswer: (request, response) => this.#log(request, response),
    });
  }

  /** Prefix of the paths of routes that are defined later. */
  get namespace(): string {
    return this.#namespace;
  }
  set namespace(value: string) {
    this.#namespace = value ?? "";
  }

  /** Origin, or prefix before the namespace, of routes that are defined later. */
  get urlPrefix(): string {
    return this.#urlPrefix;
  }
  set urlPrefix(value: string) {
    this.#urlPrefix = value ?? "";
  }

  /** Milliseconds before a response, for routes that set none. */
  get timing(): number | undefined {
    return this.#timing;
  }
  set timing(value: number | undefined) {
    this.#timing = value;
  }

  /** Functions that let requests pass through. */
  get passthroughChecks(): PassthroughCheck[] {
    return this.#checks;
  }
  set passthroughChecks(value: PassthroughCheck[]) {
    this.#checks = value;
  }

  /**
   * Called by the panel: watches the requests of routes, until it is called without a function.
   *
   * @ignore
   */
  inspect(inspector?: RouteInspector): void {
    this.#routes.inspector = inspector;
  }

  /** Called by Mirage: connects the server. */
  create(mirageServer: object, config: object): void {
    if (this.#server !== undefined) {
      throw new Error("Cannot intercept for a second server: create an interceptor for each");
    }
    const server = parseServer(mirageServer);
    this.#server = server;
    this.config(config);
    this.#xhr = createXhrInterceptor(this, mirageServer, config);
    const shutdown = server.shutdown.bind(server);
    Object.assign(server, ...VERBS.map((verb) => ({ [verb]: this[verb].bind(this) })), {
      del: this.del.bind(this),
      shutdown: () => {
        shutdown();
        this.restore();
      },
    });
  }

  /** Called by Mirage: applies the server's settings; those that were set first are kept. */
  config(config: { namespace?: string; urlPrefix?: string; timing?: number }): void {
    this.#namespace ||= config.namespace ?? "";
    this.#urlPrefix ||= config.urlPrefix ?? "";
    this.#timing = config.timing ?? this.#timing ?? 400;
  }

  /** Called by Mirage: starts to intercept `fetch`. */
  start(): void {
    this.#isActive = true;
    enterFetchGate(this.#routes);
  }

  /** Called by Mirage if there is a `window`; the same as `restore()`. */
  shutdown(): void {
    this.restore();
  }

  /**
   * Restores `fetch`, unless another interceptor is active. Delayed responses arrive at once.
   * Interceptors can be restored in any order, and more than once.
   */
  restore(): void {
    this.#isActive = false;
    leaveFetchGate(this.#routes);
    this.#routes.flush();
    this.#xhr?.shutdown();
    this.#xhr = undefined;
  }

  /** Restores `fetch` at the end of a block that declares the interceptor with `using`. */
  [Symbol.dispose](): void {
    this.restore();
  }

  /** Defines a route for GET. */
  get(path: string, ...args: unknown[]): void {
    this.#define("get", path, args);
  }

  /** Defines a route for POST. */
  post(path: string, ...args: unknown[]): void {
    this.#define("post", path, args);
  }

  /** Defines a route for PUT. */
  put(path: string, ...args: unknown[]): void {
    this.#define("put", path, args);
  }

  /** Defines a route for DELETE. */
  delete(path: string, ...args: unknown[]): void {
    this.#define("delete", path, args);
  }

  /** Defines a route for DELETE: Mirage's other name. */
  del(path: string, ...args: unknown[]): void {
    this.#define("delete", path, args);
  }

  /** Defines a route for PATCH. */
  patch(path: string, ...args: unknown[]): void {
    this.#define("patch", path, args);
  }

  /** Defines a route for HEAD. */
  head(path: string, ...args: unknown[]): void {
    this.#define("head", path, args);
  }

  /** Defines a route for OPTIONS. */
  options(path: string, ...args: unknown[]): void {
    this.#define("options", path, args);
  }

  /**
   * Passes requests on to the network: those of the addresses, or all of the origin if there are
   * none.
   */
  passthrough(...args: PassthroughArgument[]): void {
    const last = args.at(-1);
    const verbs = typeof last === "object" ? last : VERBS;
    const paths = args.length === 0 ? ["/**", "/"] : args;
    this.#xhr?.passthrough(...args);
    for (const path of paths) {
      if (typeof path === "function" && this.#xhr === undefined) this.#checks.push(path);
      if (typeof path !== "string") continue;
      for (const verb of verbs) this.#routes.add(verb, this.#addressOf(path), "network");
    }
  }

  #define(verb: string, path: string, args: readonly unknown[]): void {
    if (this.#server === undefined) {
      throw new Error(`Cannot define "${path}": give the interceptor to createServer() first`);
    }
    this.#xhr?.define(verb, path, args);
    const { handler, code, options } = parseRouteArguments(args);
    this.#routes.add(verb, this.#addressOf(path), {
      handle: this.#server.registerRouteHandler(verb, path, handler, code, options),
      timing: () => this.#isActive ? options.timing ?? this.#timing ?? 0 : 0,
    });
  }

  #addressOf(path: string): string {
    return routePath(this.#urlPrefix, this.#namespace, path);
  }

  #log(request: Request, response: Response): void {
    if (this.#server?.shouldLog() !== true) return;
    console.log(`Mirage: [${response.status}] ${request.method} ${request.url}`);
  }
}

/**
 * Creates an interceptor for `createServer({ interceptor })`: on Deno, on Node and in a page, `fetch`
 * then reaches Mirage's routes, which stream subscriptions. Mirage's types lack the option; the
 * spread in the example passes it nevertheless.
 *
 * @example Answer `fetch` in a block
 * ```ts
 * import { createServer } from "miragejs";
 * import { createFetchInterceptor } from "@trestle/mirage-graphql";
 *
 * using interceptor = createFetchInterceptor();
 * createServer({
 *   ...interceptor,
 *   environment: "test",
 *   routes() {
 *     this.get("/hello", () => ({ hello: "you" }));
 *   },
 * });
 * const response = await fetch("/hello");
 * console.log(await response.json()); // { hello: "you" }
 * ```
 */
export function createFetchInterceptor(options: FetchInterceptorOptions = {}): FetchInterceptor {
  return new FetchInterceptor(options);
}
