import { dirname } from "node:path/posix";
import { messageOf, ToolError } from "../shared/error.ts";

/** The system's errors, and what they mean for an operator. */
const STATES: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist; create it, or set TMPDIR",
  ENOTDIR: "it is not a folder; set TMPDIR to one",
  EACCES: "the server's user may not write to it; change its mode, or set TMPDIR",
  EPERM: "the system denies it; change its mode, or set TMPDIR",
  EROFS: "its file system is read-only; set TMPDIR to another one",
  ENOSPC: "its disk is full; remove files from it, or set TMPDIR",
  EDQUOT: "the disk quota of the server's user is used up; remove files, or set TMPDIR",
};

/** A folder of root that all users may pass through. */
const PASSABLE = "/var/cache/trestle";

/** Describes why a script can't be written to the temporary folder. */
export function toTempFolderError(folder: string, cause: unknown): ToolError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const state = STATES[code] ?? messageOf(cause);
  return new ToolError(`Cannot use the temporary folder ${JSON.stringify(folder)}: ${state}`, {
    code: "TEMP_FOLDER_UNUSABLE",
    cause,
  });
}

/**
 * The first folder above a path into which other users may write, or `undefined`. A sticky bit does
 * not help: it guards the files that are there, not against new ones.
 */
export async function sharedFolderAbove(path: string): Promise<string | undefined> {
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const { uid, gid, mode } = await Deno.lstat(folder);
    const others = (mode ?? 0) & (gid === Deno.gid() ? 0o002 : 0o022);
    const foreign = uid !== 0 && uid !== Deno.uid();
    if (others !== 0 || foreign) return folder;
    if (folder === "/") return undefined;
  }
}

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
 * The same for scripts of other users, who may not enter the folders above: `/var/cache/trestle`.
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
