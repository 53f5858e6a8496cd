import { extname, normalize } from "node:path/posix";
import { contentTypeOf } from "./content_type.ts";
import type { ServedPage } from "./serve_page.ts";

/**
 * Serves what a bundler has made of an app with pages of its own: its files, and `index.html` at
 * every path that has no file ending.
 */
export function serveFolder(folder: string): ServedPage {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
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
