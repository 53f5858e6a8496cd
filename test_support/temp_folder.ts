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
