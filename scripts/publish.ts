/**
 * Publishes the packages of the workspace on JSR, the tool server with its tools in it. The arguments
 * are those of `deno publish`, such as `--dry-run`; it publishes what is committed.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { stagePackages } from "./publish/stage_packages.ts";

if (!Deno.args.includes("--allow-dirty") && await changedFiles() !== "") {
  console.error(`Cannot publish "${ROOT}": it has changes that are not committed`);
  Deno.exit(1);
}
await using folder = await createTempFolder();
await stagePackages(ROOT, folder.path);
const args = ["publish", ...Deno.args];
const { code } = await new Deno.Command(Deno.execPath(), { args, cwd: folder.path }).spawn().status;
Deno.exitCode = code;

/** What git reports of the working tree; empty if everything is committed. */
async function changedFiles(): Promise<string> {
  const git = new Deno.Command("git", { args: ["status", "--porcelain"], cwd: ROOT });
  const { success, stdout, stderr } = await git.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the state of "${ROOT}": ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}
