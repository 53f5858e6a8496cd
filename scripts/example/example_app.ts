import { buildPackage } from "../npm/build_package.ts";
import { NPM_TARGETS } from "../npm/npm_targets.ts";
import { ROOT } from "../../test_support/root.ts";

/** Folder of the example app, from the root of the repository. */
export const EXAMPLE_FOLDER = "examples/team_directory";

/**
 * Builds and packs the npm packages into `output`, and installs them and all else that the app in
 * `folder` needs into its `node_modules`.
 */
export async function installExample(folder: string, output: string): Promise<void> {
  const built = await Promise.all(
    NPM_TARGETS.map((target) => buildPackage(ROOT, target, output)),
  );
  const tarballs = built.map(({ tarball }) => tarball);
  const command = new Deno.Command("npm", {
    args: ["install", ...FLAGS, ...tarballs],
    cwd: folder,
    stdin: "null",
  });
  const { success, stderr } = await command.output();
  if (success) return;
  throw new Error(`Cannot install the example: ${new TextDecoder().decode(stderr)}`);
}

/** Leaves the app's `package.json` as it is: it names versions, as a user's would. */
const FLAGS = [
  "--no-save",
  "--no-package-lock",
  "--no-audit",
  "--no-fund",
  "--ignore-scripts",
  "--prefer-offline",
];
