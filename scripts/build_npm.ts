/**
 * Builds the members that are published on npm into `dist/npm/<name>`, and packs each next to it.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { buildPackage, type BuiltPackage } from "./npm/build_package.ts";
import { buildServer } from "./npm/build_server.ts";
import { NPM_TARGETS } from "./npm/package_manifest.ts";

const OUTPUT = `${ROOT}/dist/npm`;

async function report({ tarball }: BuiltPackage): Promise<void> {
  const { size } = await Deno.stat(tarball);
  console.log(`${tarball} ${size} bytes`);
}

try {
  for (const target of NPM_TARGETS) {
    await report(await buildPackage(ROOT, target, OUTPUT));
  }
  await report(await buildServer(ROOT, OUTPUT));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  Deno.exit(1);
}
