/**
 * Builds the documentation site into `dist/site`, for the path that `--base` names (`/`). With
 * `--serve` it serves what was built on 127.0.0.1, at `--port` (4173), until it is interrupted.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { serveSite } from "../test_support/browser/serve_page.ts";
import { ROOT } from "../test_support/root.ts";
import { buildSite } from "./site/build_site.ts";

const OUTPUT = `${ROOT}/dist/site`;
const stop = new AbortController();
const interrupted = Promise.withResolvers<void>();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(name, () => {
    stop.abort(new Error(`Cannot continue: ${name} was received`));
    interrupted.resolve();
  });
}

async function main(): Promise<number> {
  const { values: { serve, base, port } } = parseArgs({
    args: Deno.args,
    options: {
      serve: { type: "boolean", default: false },
      base: { type: "string", default: "/" },
      port: { type: "string", default: "4173" },
    },
  });
  try {
    if (serve) return await serveUntilStopped(base, Number(port));
    console.log("Building the pages, the packages and the example: a few minutes the first time");
    const write = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(text));
    const pages = await buildSite({ output: OUTPUT, base, signal: stop.signal, report: write });
    console.log(`${pages.length} pages are in dist/site; deno task site:serve serves them`);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function serveUntilStopped(base: string, port: number): Promise<number> {
  const isBuilt = await Deno.stat(`${OUTPUT}/index.html`).then(() => true, () => false);
  if (!isBuilt) throw new Error('Cannot serve "dist/site": deno task site has not built it');
  await using site = serveSite(OUTPUT, { base, port });
  console.log(`Serving dist/site on ${site.url}${base}`);
  await interrupted.promise;
  return 0;
}

Deno.exit(await main());
