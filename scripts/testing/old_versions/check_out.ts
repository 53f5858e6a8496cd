import { ROOT } from "../../../test_support/root.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";

/** The sources of a commit, in a temporary folder. */
export interface CheckedOut extends AsyncDisposable {
  readonly path: string;
}

/** Checks out a commit of this repository next to its work tree; needs its history. */
export async function checkOut(commit: string): Promise<CheckedOut> {
  const folder = await createTempFolder();
  const path = `${folder.path}/sources`;
  await run("git", ["-C", ROOT, "worktree", "add", "--detach", "--quiet", path, commit]);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await run("git", ["-C", ROOT, "worktree", "remove", "--force", path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Runs a program to its end; resolves with its output, and rejects if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const command = new Deno.Command(program, { ...options, args: [...args], stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`Cannot run "${program} ${args.join(" ")}": ${decoder.decode(stderr)}`);
}
