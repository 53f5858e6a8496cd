import { ROOT } from "../../../test_support/root.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";

/** The sources of a commit, in a temporary folder. */
export interface CheckedOut extends AsyncDisposable {
  readonly path: string;
}

/** Writes the files of a commit of this repository into a folder; needs its history. */
export async function checkOut(commit: string): Promise<CheckedOut> {
  const folder = await createTempFolder();
  const path = `${folder.path}/sources`;
  const archive = `${folder.path}/sources.tar`;
  await run("git", ["-C", ROOT, "archive", `--output=${archive}`, commit]);
  await Deno.mkdir(path);
  await run("tar", ["-xf", archive, "-C", path]);
  // Scripts of that time ask git which files there are.
  await run("git", ["init", "--quiet", path]);
  await run("git", ["-C", path, "add", "--all"]);
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
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
