import { dirname } from "node:path/posix";
import { createTempFolder, type TempFolder } from "../../../test_support/temp_folder.ts";
import { sourceFiles } from "../../source_files.ts";

/**
 * Copies a repository, with its uncommitted changes, into a new one in which everything is
 * committed.
 */
export async function createCleanCheckout(root: string): Promise<TempFolder> {
  const folder = await createTempFolder();
  for (const path of await sourceFiles(root, [""])) {
    await Deno.mkdir(`${folder.path}/${dirname(path)}`, { recursive: true });
    await Deno.copyFile(`${root}/${path}`, `${folder.path}/${path}`);
  }
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  await git(folder.path, ["init", "--quiet"]);
  await git(folder.path, ["add", "--all"]);
  await git(folder.path, [...author, "commit", "--quiet", "--message", "All"]);
  return folder;
}

async function git(cwd: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args: [...args], cwd }).output();
  if (success) return;
  throw new Error(`Cannot run "git ${args.join(" ")}": ${new TextDecoder().decode(stderr)}`);
}
