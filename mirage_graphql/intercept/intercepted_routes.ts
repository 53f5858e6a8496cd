import { type Deadline, firstOf, unlessAborted } from "../shared/deadline.ts";
import {
  parseQueryParams,
  type QueryParams,
  type RouteRequest,
  toErrorRack,
  toFetchResponse,
  toRouteRequest,
  withUrl,
} from "./route_call.ts";
import { type RouteMatch, RouteTable } from "./routes.ts";

/** A request that a predicate decides about. */
export interface PassthroughRequest {
  /** Method in upper case. */
  readonly method: string;
  /** The absolute address. */
  readonly url: string;
  /** Parameters of the query string. */
  readonly queryParams: QueryParams;
}

/** Returns `true` for requests that pass through to the network. */
export type PassthroughCheck = (request: PassthroughRequest) => unknown;

/** What handles a request: a route of Mirage, or the network. */
export type RouteTarget = "network" | {
  /** Runs the route: status, headers and serialized body. */
  readonly handle: (request: object) => Promise<unknown>;
  /** Milliseconds before the response. */
  readonly timing: () => number;
};

/** Watches the requests of routes, and may answer them: `proceed` runs the route. */
export type RouteInspector = (
  request: RouteRequest,
  proceed: () => Promise<unknown>,
) => Promise<unknown>;

/** What the routes need from their owner. */
export interface RoutesOwner {
  /** Origin of addresses without one. */
  readonly origin: string;
  /** Predicates of requests that pass through. */
  passthroughChecks(): readonly PassthroughCheck[];
  /** The namespace, for the message about a missing route. */
  namespace(): string;
  /** Called for each response. */
  onAnswer(request: Request, response: Response): void;
}

/** The routes of one server, as a handler of `fetch` calls. */
export class InterceptedRoutes implements CallHandler {
  readonly #owner: RoutesOwner;
  readonly #table: RouteTable<RouteTarget>;
  readonly #delays = new PendingDelays();
  /** What watches the requests; `undefined` if nothing does. */
  inspector: RouteInspector | undefined;

  /** Starts without routes. */
  constructor(owner: RoutesOwner) {
    this.#owner = owner;
    this.#table = new RouteTable(owner.origin);
  }

  /** Adds a route. */
  add(method: string, address: string, target: RouteTarget): void {
    this.#table.add(method.toUpperCase(), address, target);
  }

  /** Ends the delays of all responses. */
  flush(): void {
    this.#delays.flush();
  }

  /** Handles a call by its route; `undefined` if it has none. */
  handle(call: FetchCall, realFetch: typeof fetch): Promise<Response> | undefined {
    const { url, method } = this.#addressOf(call);
    if (!isHttp(url) || this.#isLetThrough(url, method)) {
      return realFetch(call.input, call.init);
    }
    const match = this.#table.find(method, url);
    if (match === undefined) return undefined;
    const { target } = match;
    if (target === "network") return realFetch(call.input, call.init);
    return this.#run(call, url, { target, params: match.params });
  }

  /** Rejects a call without a route, in Mirage's words. */
  handleUnmatched(call: FetchCall): Promise<Response> {
    const { url, method } = this.#addressOf(call);
    const address = url.origin === this.#owner.origin ? url.pathname + url.search : url.href;
    const namespace = this.#owner.namespace();
    const hint = namespace === ""
      ? "There is no existing namespace defined. Please define one"
      : `The existing namespace is ${namespace}`;
    return Promise.reject(
      new Error(
        // deno-lint-ignore trestle/error-message -- Mirage's own words
        `Mirage: Your app tried to ${method} '${address}', but there was no route defined to ` +
          "handle this request. Define a route for this endpoint in your routes() config. " +
          `Did you forget to define a namespace? ${hint}`,
      ),
    );
  }

  #addressOf({ input, init }: FetchCall): { url: URL; method: string } {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(request?.url ?? String(input), this.#base());
    return { url, method: (init?.method ?? request?.method ?? "GET").toUpperCase() };
  }

  #base(): string {
    const { location } = globalThis;
    return location?.origin === this.#owner.origin ? location.href : this.#owner.origin;
  }

  #isLetThrough(url: URL, method: string): boolean {
    const checks = this.#owner.passthroughChecks();
    if (checks.length === 0) return false;
    const request = { method, url: url.href, queryParams: parseQueryParams(url) };
    return checks.some((check) => Boolean(check(request)));
  }

  async #run(
    { input, init }: FetchCall,
    url: URL,
    { target, params }: RouteMatch<Exclude<RouteTarget, "network">>,
  ): Promise<Response> {
    const request = new Request(input instanceof Request ? input : url, init);
    request.signal.throwIfAborted();
    const broken = new AbortController();
    let streamed: Response | undefined;
    const routed = await toRouteRequest(request, params, {
      sentBody: init?.body,
      // deno-lint-ignore trestle/error-message -- Chromium's own words
      onError: () => broken.abort(new TypeError("Failed to fetch")),
      onStream: (response) => streamed = response,
    });
    const proceed = () => target.handle(routed);
    const handled = (this.inspector?.(routed, proceed) ?? proceed()).catch((error: unknown) =>
      toErrorRack(error, request)
    );
    const rack = await unlessAborted(unlessAborted(handled, request.signal), broken.signal);
    const timing = target.timing();
    if (timing > 0) await this.#delays.wait(timing, request.signal);
    const response = withUrl(streamed ?? toFetchResponse(rack, request), request.url);
    this.#owner.onAnswer(request, response);
    return response;
  }
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

/** Delays that can be ended together, so that no timer outlives its owner. */
class PendingDelays {
  readonly #delays = new Set<Deadline>();

  /** Waits; rejects with the signal's reason as soon as that aborts. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const delay = firstOf({ signal, timeoutMs });
    this.#delays.add(delay);
    try {
      await delay.passed;
    } finally {
      this.#delays.delete(delay);
    }
  }

  /** Ends all delays at once. */
  flush(): void {
    for (const delay of [...this.#delays]) delay.end();
  }
}

/** The arguments of a call of `fetch`. */
interface FetchCall {
  readonly input: string | URL | Request;
  readonly init: RequestInit | undefined;
}

/** Handles calls of `fetch`. */
interface CallHandler {
  /** Handles a call; `undefined` if it is not for this handler. */
  handle(call: FetchCall, realFetch: typeof fetch): Promise<Response> | undefined;
  /** Handles a call that no handler has handled. */
  handleUnmatched(call: FetchCall, realFetch: typeof fetch): Promise<Response>;
}

/** The active handlers, the latest last; they can be removed in any order. */
let handlers: readonly CallHandler[] = [];
/** Restores the replaced `fetch`; set while there are handlers. */
let close: (() => void) | undefined;

/** Adds a handler of `globalThis.fetch`, which comes before earlier ones. */
export function enterFetchGate(handler: CallHandler): void {
  leaveFetchGate(handler);
  handlers = [...handlers, handler];
  close ??= replaceFetch();
}

/** Removes a handler; the last one to be removed restores `globalThis.fetch`. */
export function leaveFetchGate(handler: CallHandler): void {
  handlers = handlers.filter((one) => one !== handler);
  if (handlers.length > 0) return;
  close?.();
  close = undefined;
}

/**
 * If other code has replaced `fetch` since, its function stays; without handlers, this module's
 * function passes calls on.
 */
function replaceFetch(): () => void {
  const realFetch = globalThis.fetch;
  const replacement: typeof fetch = (input, init) => dispatch({ input, init }, realFetch);
  globalThis.fetch = replacement;
  return () => {
    if (globalThis.fetch === replacement) globalThis.fetch = realFetch;
  };
}

async function dispatch(call: FetchCall, realFetch: typeof fetch): Promise<Response> {
  const latestFirst = handlers.toReversed();
  for (const handler of latestFirst) {
    const answer = handler.handle(call, realFetch);
    if (answer !== undefined) return await answer;
  }
  const [latest] = latestFirst;
  return await (latest?.handleUnmatched(call, realFetch) ?? realFetch(call.input, call.init));
}
