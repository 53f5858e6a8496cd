/**
 * Compiles the tool server into `dist/trestle-mcp-<architecture>`, for the architectures that the
 * arguments name, or for all.
 *
 * @module
 */

import { compileServer } from "./compile/compile_server.ts";
import { parseArchitectures } from "./compile/targets.ts";
import { ROOT } from "../test_support/root.ts";

try {
  const made = await compileServer({
    root: ROOT,
    folder: `${ROOT}/dist`,
    architectures: parseArchitectures(Deno.args),
    basePath: Deno.env.get("DENORT_BIN"),
  });
  for (const path of made) console.log(path);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  Deno.exit(1);
}
