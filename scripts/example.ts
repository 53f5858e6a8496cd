/**
 * Builds the npm packages, installs the example app with them, and serves it with Vite, which
 * prints the address; arguments are Vite's, such as `--port 4000`.
 *
 * @module
 */

import { EXAMPLE_FOLDER, installExample } from "./example/install_example.ts";
import { ROOT } from "./root.ts";

const folder = `${ROOT}/${EXAMPLE_FOLDER}`;
try {
  await installExample(folder, `${ROOT}/dist/npm`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  Deno.exit(1);
}
const vite = new Deno.Command("npx", { args: ["vite", ...Deno.args], cwd: folder }).spawn();
Deno.addSignalListener("SIGINT", () => {});
Deno.exit((await vite.status).code);
