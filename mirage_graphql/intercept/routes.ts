/** The route of a request. */
export interface RouteMatch<Target> {
  readonly target: Target;
  /** Values of the dynamic segments. */
  readonly params: Record<string, string>;
}

interface Route<Target> {
  readonly method: string;
  readonly pattern: RoutePattern;
  readonly target: Target;
}

/** Routes by method and address. The most specific one wins, then the latest. */
export class RouteTable<Target> {
  readonly #defaultOrigin: string;
  #routes: Route<Target>[] = [];

  /** Stores the origin of addresses without one. */
  constructor(defaultOrigin: string) {
    this.#defaultOrigin = defaultOrigin;
  }

  /** Adds a route; it replaces one with the same method and address. */
  add(method: string, address: string, target: Target): void {
    const pattern = parseRoutePattern(address, this.#defaultOrigin);
    const others = this.#routes.filter((route) =>
      route.method !== method || route.pattern.key !== pattern.key
    );
    this.#routes = [...others, { method, pattern, target }]
      .sort((a, b) => b.pattern.rank.localeCompare(a.pattern.rank));
  }

  /** The route of a request; `undefined` if there is none. */
  find(method: string, url: URL): RouteMatch<Target> | undefined {
    for (const { method: allowed, pattern, target } of this.#routes) {
      if (allowed !== method || pattern.origin !== url.origin) continue;
      const params = pattern.match(url.pathname);
      if (params !== undefined) return { target, params };
    }
    return undefined;
  }
}

const ABSOLUTE = /^https?:\/\//;

/**
 * The address of a route as Mirage builds it: URL prefix, namespace and path, with single slashes;
 * a path that is an absolute URL is used alone.
 */
export function routePath(urlPrefix: string, namespace: string, path: string): string {
  if (ABSOLUTE.test(path)) return path;
  const parts = [urlPrefix.trim(), namespace, path].map(trimSlashes);
  const joined = parts.filter((part) => part !== "").join("/");
  return ABSOLUTE.test(joined) ? joined : `/${joined}`.replace(/\/+/g, "/");
}

function trimSlashes(text: string): string {
  return text.replace(/^\/+|\/+$/g, "");
}

/** A parsed address of a route. */
export interface RoutePattern {
  /** Equal for patterns that match the same requests: names of segments make no difference. */
  readonly key: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Ranks patterns that match the same path: a name beats `:id`, which beats `*path`. */
  readonly rank: string;
  /** The values of the dynamic segments; `undefined` if the path doesn't match. */
  match(pathname: string): Record<string, string> | undefined;
}

/** Parses the address of a route: `:name` is one segment, `*name` is one or more. */
function parseRoutePattern(address: string, defaultOrigin: string): RoutePattern {
  const { origin, pathname } = new URL(address, defaultOrigin);
  const segments = segmentsOf(pathname);
  const names = segments.filter(isDynamic).map((segment) => segment.slice(1));
  const source = segments.map(sourceOf).join("/");
  const pattern = new RegExp(`^${source}$`);
  return {
    key: `${origin} ${source}`,
    origin,
    rank: segments.map(rankOf).join(""),
    match(path) {
      const found = pattern.exec(segmentsOf(path).join("/"));
      if (found === null) return undefined;
      return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? "")]));
    },
  };
}

function segmentsOf(pathname: string): string[] {
  return trimSlashes(pathname).split("/");
}

function isDynamic(segment: string): boolean {
  return segment.startsWith(":") || segment.startsWith("*");
}

function sourceOf(segment: string): string {
  if (segment.startsWith(":")) return "([^/]+)";
  if (segment.startsWith("*")) return "(.+)";
  return segment.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function rankOf(segment: string): string {
  if (segment.startsWith("*")) return "1";
  return segment.startsWith(":") ? "2" : "3";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Origin of addresses without one, where nothing else is set. */
export function defaultOrigin(): string {
  const origin = globalThis.location?.origin;
  return origin === undefined || origin === "null" ? "http://localhost" : origin;
}
