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
  return serveFiles(0, async (request) => {
    const response = await site.handle?.(request);
    if (response !== undefined) return response;
    const path = pathOf(request);
    const file = extname(path) === "" ? "/index.html" : path;
    return await fileAt(`${folder}${file}`) ?? new Response("Not found", { status: 404 });
  });
}

/** Where a static site is served. */
export interface SiteAddress {
  /** The path that it is served at, with a slash at both ends. @default {"/"} */
  readonly base?: string;
  /** A port of the loopback interface; 0 is any that is free. @default {0} */
  readonly port?: number;
}

/**
 * Serves a static site as its hosts do: a file at its path, `a.html` at `/a`, `a/index.html` at
 * `/a/`, and `404.html` with status 404 for everything else.
 */
export function serveSite(folder: string, address: SiteAddress = {}): ServedPage {
  const { base = "/", port = 0 } = address;
  return serveFiles(port, async (request) => {
    const path = pathOf(request);
    const none = async () =>
      await fileAt(`${folder}/404.html`, 404) ??
        new Response("Not found", { status: 404 });
    if (!path.startsWith(base)) return await none();
    const file = `${folder}/${path.slice(base.length)}`;
    if (file.endsWith("/")) return await fileAt(`${file}index.html`) ?? await none();
    return await fileAt(file) ?? await fileAt(`${file}.html`) ?? await none();
  });
}

function serveFiles(port: number, handle: (request: Request) => Promise<Response>): ServedPage {
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, handle);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function pathOf(request: Request): string {
  return normalize(decodeURIComponent(new URL(request.url).pathname));
}

async function fileAt(path: string, status = 200): Promise<Response | undefined> {
  const file = await open(path);
  if (file === undefined) return undefined;
  const headers = { "content-type": contentTypeOf(extname(path) || ".html") };
  return new Response(file.readable, { status, headers });
}

async function open(path: string): Promise<Deno.FsFile | undefined> {
  try {
    const file = await Deno.open(path);
    if ((await file.stat()).isFile) return file;
    file.close();
    return undefined;
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
  webp: "image/webp",
  woff2: "font/woff2",
};

/** The media type of a file, by its name or extension. */
export function contentTypeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain; charset=utf-8";
}
