/** A query string as Mirage's routes see it: `ids[]=1&ids[]=2` is a list, a bare name is "true". */
export type QueryParams = Record<string, string | string[]>;

/** Reads the query string of a URL. */
export function parseQueryParams(url: URL): QueryParams {
  const params: QueryParams = {};
  for (const pair of url.search.slice(1).split("&")) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    const value = cut < 0 ? "true" : decode(pair.slice(cut + 1));
    if (name.endsWith("[]")) addTo(params, name.slice(0, -2), value);
    else setOwn(params, name, value);
  }
  return params;
}

function addTo(params: QueryParams, name: string, value: string): void {
  const list = Object.hasOwn(params, name) ? params[name] : undefined;
  if (Array.isArray(list)) list.push(value);
  else setOwn(params, name, [value]);
}

/** Also a name such as `__proto__` becomes a parameter. */
function setOwn(params: QueryParams, name: string, value: string | string[]): void {
  Object.defineProperty(params, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
