import { createTempFolder, type TempFolder } from "./temp_folder.ts";

/** The environment variable with the folder that all tests of one run share. */
export const SHARED_FOLDER = "TRESTLE_TEST_SHARED";

/**
 * A folder that costs time to make and that tests only read: the first test of a run that asks for
 * its name makes it, the others get the same. A test that runs alone makes one for itself.
 */
export async function sharedFolder(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<TempFolder> {
  const root = Deno.env.get(SHARED_FOLDER);
  if (root === undefined) {
    const own = await createTempFolder();
    await make(own.path);
    return own;
  }
  const path = `${root}/${name}`;
  if (!await isThere(path)) await makeOnce(path, make);
  return { path, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Tests of several processes may ask at the same time: one makes it, the others wait for that. */
async function makeOnce(path: string, make: (folder: string) => Promise<void>): Promise<void> {
  using lock = await Deno.open(`${path}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (await isThere(path)) return;
  const draft = await Deno.makeTempDir({ dir: path.slice(0, path.lastIndexOf("/")) });
  await Deno.chmod(draft, 0o755);
  await make(draft);
  await Deno.rename(draft, path);
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
