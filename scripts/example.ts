/**
 * Builds the npm packages, installs the example app with them, and serves it with Vite, which
 * prints the address, until it is interrupted. The arguments are passed to Vite, such as `--port
 * 4000`.
 *
 * @module
 */

import { EXAMPLE_FOLDER, installPackages, packForExample } from "./example/example_app.ts";
import { ROOT } from "../test_support/root.ts";
import { runProgram } from "./run_program.ts";

const folder = `${ROOT}/${EXAMPLE_FOLDER}`;
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(
    name,
    () => stop.abort(new Error(`Cannot continue: ${name} was received`)),
  );
}

async function main(): Promise<number> {
  try {
    console.log("Building the packages and installing the app: about a minute the first time");
    await installPackages(folder, await packForExample(`${ROOT}/dist/npm`));
    const vite = `${folder}/node_modules/.bin/vite`;
    return await runProgram(vite, Deno.args, { signal: stop.signal, cwd: folder });
  } catch (error) {
    if (stop.signal.aborted) return 0;
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return 1;
  }
}

Deno.exit(await main());
