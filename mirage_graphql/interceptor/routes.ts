import { parseRoutePattern, type RoutePattern } from "./route_path.ts";

/** The route that a request takes. */
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

/** Routes by method and address. The most specific one wins, and the latest of the same address. */
export class RouteTable<Target> {
  readonly #defaultOrigin: string;
  #routes: Route<Target>[] = [];

  /** Takes the origin of addresses that name none. */
  constructor(defaultOrigin: string) {
    this.#defaultOrigin = defaultOrigin;
  }

  /** Adds a route, in place of one of the same method and address. */
  add(method: string, address: string, target: Target): void {
    const pattern = parseRoutePattern(address, this.#defaultOrigin);
    const others = this.#routes.filter((route) =>
      route.method !== method || route.pattern.key !== pattern.key
    );
    this.#routes = [...others, { method, pattern, target }]
      .sort((a, b) => b.pattern.rank.localeCompare(a.pattern.rank));
  }

  /** The route of a request; `undefined` where there is none. */
  find(method: string, url: URL): RouteMatch<Target> | undefined {
    for (const { method: allowed, pattern, target } of this.#routes) {
      if (allowed !== method || pattern.origin !== url.origin) continue;
      const params = pattern.match(url.pathname);
      if (params !== undefined) return { target, params };
    }
    return undefined;
  }
}
