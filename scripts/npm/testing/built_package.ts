import { ROOT } from "../../../test_support/root.ts";
import { sharedFolder } from "../../../test_support/shared_folder.ts";
import { buildPackage, type BuiltPackage } from "../build_package.ts";
import { buildServer } from "../build_server.ts";
import { NPM_TARGETS } from "../package_manifest.ts";

/** A package that tests only read, since all tests of a run share it. */
export interface SharedPackage extends BuiltPackage, AsyncDisposable {}

/** Builds and packs a member of the workspace for npm, unless a test of the same run has done so. */
export async function builtPackage(
  member: string,
): Promise<SharedPackage> {
  const target = NPM_TARGETS.find(({ folder }) => folder === member);
  const { path, [Symbol.asyncDispose]: dispose } = await sharedFolder(
    `npm_${member}`,
    async (output) => {
      if (target === undefined) await buildServer(ROOT, output);
      else await buildPackage(ROOT, target, output);
    },
  );
  const names = Array.from(Deno.readDirSync(path), ({ name }) => name).sort();
  const archive = names.find((name) => name.endsWith(".tgz"));
  const folder = names.find((name) => name !== archive);
  return {
    folder: `${path}/${folder}`,
    tarball: `${path}/${archive}`,
    [Symbol.asyncDispose]: dispose,
  };
}
