import * as mirage from "miragejs";

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
