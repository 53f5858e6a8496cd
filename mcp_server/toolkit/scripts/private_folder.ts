import { sharedFolderAbove } from "./temp_folder.ts";

/** Reads a variable of the server's environment. */
type Env = (name: string) => string | undefined;

/**
 * Finds a folder for scripts such that no other user can put a file into a folder above it:
 * `XDG_RUNTIME_DIR`, else `trestle` in `XDG_CACHE_HOME` or `~/.cache`, which is created with mode
 * 0700. Resolves with `undefined` if none of them is private and writable.
 */
export async function findPrivateFolder(env: Env): Promise<string | undefined> {
  const runtime = await toPrivatePath(env("XDG_RUNTIME_DIR"));
  if (runtime !== undefined) return runtime;
  const home = env("HOME");
  const cache = env("XDG_CACHE_HOME") || (home && `${home}/.cache`);
  if (!cache) return undefined;
  const folder = `${cache}/trestle`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  return await toPrivatePath(folder);
}

/**
 * The same for scripts of other users, who may not enter the folders above: `/var/cache/trestle`, a
 * folder of root that all users may pass through.
 */
export async function findPassableFolder(): Promise<string | undefined> {
  try {
    await Deno.mkdir(PASSABLE, { recursive: true });
    await Deno.chmod(PASSABLE, 0o711);
  } catch {
    return undefined;
  }
  return await toPrivatePath(PASSABLE);
}

const PASSABLE = "/var/cache/trestle";

/** The path without links of a folder that no other user can write to, nor to those above it. */
async function toPrivatePath(folder: string | undefined): Promise<string | undefined> {
  if (!folder) return undefined;
  try {
    const path = await Deno.realPath(folder);
    return await sharedFolderAbove(`${path}/script`) === undefined ? path : undefined;
  } catch {
    return undefined;
  }
}
