/**
 * Builds the members that are published on npm into `dist/npm/<name>`, and packs each next to it.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { buildPackage } from "./npm/build_package.ts";
import { NPM_TARGETS } from "./npm/package_manifest.ts";

try {
  for (const target of NPM_TARGETS) {
    const { tarball } = await buildPackage(ROOT, target, `${ROOT}/dist/npm`);
    const { size } = await Deno.stat(tarball);
    console.log(`${tarball} ${size} bytes`);
  }
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  Deno.exit(1);
}
