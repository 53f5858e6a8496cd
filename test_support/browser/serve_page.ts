import { contentTypeOf } from "./content_type.ts";

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

/** A site on a free port of this machine alone. */
export interface ServedPage extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  readonly url: string;
}

/**
 * Serves a module as `/entry.js`, and at every path that nothing else answers a page which loads it:
 * one with an empty `<div id="app">`.
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
