/**
 * Lists the repository's files with the given extensions, tracked or new; what git ignores is left
 * out.
 */
export async function sourceFiles(root: string, endings: readonly string[]): Promise<string[]> {
  const git = new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    cwd: root,
  });
  const { success, stdout, stderr } = await git.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot list the files of "${root}": ${decoder.decode(stderr)}`);
  const files = await Promise.all(
    decoder.decode(stdout).split("\0")
      .filter((path) => endings.some((ending) => path.endsWith(ending)))
      .map(async (path) => await isFile(`${root}/${path}`) ? [path] : []),
  );
  return files.flat().sort();
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
