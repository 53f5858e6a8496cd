import { createHash } from "node:crypto";
import { run } from "./server_package.ts";

/** A registry on this machine that has one package of its own; all others are those of npm's. */
export interface LocalRegistry extends AsyncDisposable {
  /** Its address, as `npm_config_registry` takes it. */
  readonly url: string;
}

/** Serves the packed package whose `package.json` is in a folder. */
export async function startRegistry(
  { folder, tarball }: { readonly folder: string; readonly tarball: string },
): Promise<LocalRegistry> {
  const manifest = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  const archive = await Deno.readFile(tarball);
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const upstream = (await run("npm", ["config", "get", "registry"], folder)).trim();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname === "/archive.tgz") return new Response(archive);
    if (decodeURIComponent(pathname) !== `/${manifest.name}`) {
      return Response.redirect(new URL(pathname.slice(1), upstream));
    }
    const dist = { tarball: `${origin}/archive.tgz`, integrity };
    return Response.json({
      name: manifest.name,
      "dist-tags": { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist } },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
