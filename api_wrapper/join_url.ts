const TAIL = /([?#].*)/s;

const DOTS = /(^|\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|$)/i;

/**
 * Joins a path to a base with exactly one slash. Characters that a path must not contain are
 * encoded, existing escapes stay; a query of either and the path's fragment go to the end. Returns
 * `undefined` for a path with a segment that is `.` or `..`; encoded dots, slashes and backslashes
 * count as well, because servers decode them.
 */
export function joinUrl(base: string, url: string): string | undefined {
  const [folder = "", query] = base.replace(/#.*/, "").split(TAIL);
  const [path = "", tail = ""] = url.replace(/^\/+/, "").split(TAIL);
  const escaped = encodeURI(path).replace(/%25(?=[\da-f]{2})/gi, "%");
  const joined = path ? folder.replace(/\/*$/, "/") + escaped : folder;
  if (DOTS.test(joined)) return undefined;
  return joined + (query ? query + tail.replace(/^\?/, "&") : tail);
}
