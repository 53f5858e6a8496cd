import { extname, normalize } from "node:path/posix";

const HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Test</title><link rel="icon" href="data:,"></head>
<body><div id="app"></div><script type="module" src="/entry.js"></script></body>
</html>
`;

/** What a test's site answers. */
export interface PageSite {
  /** Static files by path, such as `{ "/style.css": "p { color: red }" }`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Answers every request for which there is no file, before the page itself is tried. */
  readonly handle?: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** A site on a free port of the loopback interface. */
export interface ServedPage extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  readonly url: string;
}

/**
 * Serves a module as `/entry.js`. Every path that nothing else answers serves a page that loads it,
 * with an empty `<div id="app">`.
 */
export function servePage(module: string, site: PageSite = {}): ServedPage {
  const files: Readonly<Record<string, string>> = { ...site.files, "/entry.js": module };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (Object.hasOwn(files, pathname)) return fileResponse(pathname, files[pathname] ?? "");
      return await site.handle?.(request) ?? fileResponse("/index.html", HTML);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function fileResponse(path: string, body: string): Response {
  return new Response(body, { headers: { "content-type": contentTypeOf(path) } });
}

/**
 * Serves the output of a bundler for an app with client-side routes: its files, and `index.html` at
 * every path that has no file extension. What `handle` returns comes before both.
 */
export function serveFolder(folder: string, site: Pick<PageSite, "handle"> = {}): ServedPage {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const response = await site.handle?.(request);
      if (response !== undefined) return response;
      const path = normalize(decodeURIComponent(new URL(request.url).pathname));
      const ending = extname(path);
      const file = await open(`${folder}${ending === "" ? "/index.html" : path}`);
      if (file === undefined) return new Response("Not found", { status: 404 });
      const headers = { "content-type": contentTypeOf(ending || ".html") };
      return new Response(file.readable, { headers });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function open(path: string): Promise<Deno.FsFile | undefined> {
  try {
    return await Deno.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The media type of a file, by its name or extension. */
export function contentTypeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain; charset=utf-8";
}
