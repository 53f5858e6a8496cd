import type { NpmPackage } from "./npm_packages.ts";

const PROGRAM = /\.([cm]?js|json|node|wasm)$/;
const LICENSE = /(^|\/)(licen[sc]e|notice|copying)[^/]*$/i;
const ASIDE = /^(tests?|examples?|docs?|deps)\//;

/**
 * The files of packages that no program reads while it runs: types, source maps, TypeScript and C
 * sources, tests, texts other than licenses. They are two thirds of what would be embedded.
 */
export function needlessFiles(packages: readonly NpmPackage[]): string[] {
  return packages.flatMap(({ folder, files }) =>
    files.filter((file) => !isNeeded(file)).map((file) => `${folder}/${file}`)
  );
}

function isNeeded(file: string): boolean {
  return LICENSE.test(file) || (PROGRAM.test(file) && !ASIDE.test(file));
}
