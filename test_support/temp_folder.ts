/** A test's temporary folder, which is removed with its content when the test ends. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a folder that every user may enter. */
export async function createTempFolder(): Promise<TempFolder> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Mounts a temporary file system with the given options, such as its size. */
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
