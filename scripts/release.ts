/**
 * Builds what a version is published as into `dist/release`: the npm packages, the program for the
 * architectures that the arguments name, or for all, and the archives for containers and clients.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { buildRelease } from "./channels/build_release.ts";
import { parseArchitectures } from "./compile/targets.ts";

const FOLDER = `${ROOT}/dist/release`;

try {
  const sizes = await buildRelease({
    root: ROOT,
    folder: FOLDER,
    architectures: parseArchitectures(Deno.args),
    basePath: Deno.env.get("DENORT_BIN"),
  });
  for (const [name, size] of Object.entries(sizes)) console.log(`${FOLDER}/${name} ${size} bytes`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  Deno.exit(1);
}
