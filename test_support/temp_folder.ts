/** A folder of a test's own, which is removed with all that is in it when the test ends. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder that every user may enter. */
export async function createTempFolder(): Promise<TempFolder> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** A folder on a file system of its own, which is as small or as closed as the options say. */
export async function mountTmpfs(options: string): Promise<TempFolder> {
  const folder = await createTempFolder();
  await run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path);
  return {
    path: folder.path,
    async [Symbol.asyncDispose]() {
      await run("umount", folder.path);
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
