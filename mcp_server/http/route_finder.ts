/** Finds what belongs to a path, and what the path has in the place of `{id}`. */
export type RouteFinder<T> = (path: string) => {
  readonly route?: T | undefined;
  readonly id?: string | undefined;
};

const PLACE = "{id}";

/**
 * Creates the lookup of a path among paths of which some have one `{id}`: any segment that is not
 * empty. A path without `{id}` is preferred.
 */
export function createRouteFinder<T>(routes: ReadonlyMap<string, T>): RouteFinder<T> {
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
