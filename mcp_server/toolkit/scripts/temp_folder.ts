import { dirname } from "node:path/posix";
import { messageOf, ToolError } from "../../shared/error.ts";

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
