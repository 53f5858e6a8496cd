import { ToolError } from "../../shared/error.ts";
import { quotePath } from "./file_error.ts";
import type { OpenFile } from "./file_system/file_system.ts";

/** Owner, group and mode that a file is to have; an owner or group left out stays as it is. */
export interface FileAttributes {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly mode: number;
}

/** Sets the owner and group of an open file. Throws a `ToolError` if the server's user may not. */
export async function ensureOwner(
  file: OpenFile,
  wanted: Omit<FileAttributes, "mode"> & { readonly path: string },
): Promise<void> {
  const now = await file.stat();
  const { path, uid = now.uid, gid = now.gid } = wanted;
  if (uid === now.uid && gid === now.gid) return;
  try {
    await file.chown(uid, gid);
  } catch (cause) {
    throw new ToolError(
      `Cannot write ${
        quotePath(path)
      } with owner ${uid} and group ${gid}: the server's user may not ` +
        `give files to them; use an "owner" and "group" that it may, such as ${now.uid} and ${now.gid}`,
      { code: "OWNER_REFUSED", cause },
    );
  }
}

/**
 * Sets the mode of an open file. Must follow its owner and content, because changing those clears
 * the setuid and setgid bits. Throws a `ToolError` if the system sets another mode.
 */
export async function ensureMode(
  file: OpenFile,
  { path, mode }: { readonly path: string; readonly mode: number },
): Promise<void> {
  if (await modeOf(file) === mode) return;
  await file.chmod(mode);
  const kept = await modeOf(file);
  if (kept === mode) return;
  throw new ToolError(
    `Cannot write ${quotePath(path)} with mode ${mode.toString(8)}: the system makes it ` +
      `${kept.toString(8)}; use "chmod": "${kept.toString(8).padStart(4, "0")}" to accept that`,
    { code: "MODE_REFUSED" },
  );
}

async function modeOf(file: OpenFile): Promise<number> {
  return (await file.stat()).mode & 0o7777;
}
