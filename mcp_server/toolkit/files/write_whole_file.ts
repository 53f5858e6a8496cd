import type { Caller } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, parseFilePath, toFileError } from "../../files/file_error.ts";
import type { FileSystem } from "../../files/file_system.ts";
import { withFileSystem } from "../../files/with_file_system.ts";
import { ToolError } from "../../shared/error.ts";
import { exactBase64 } from "../../shared/bytes.ts";
import type { ModeChange } from "./file_mode.ts";
import { type FileAttributes, overwriteFile, replaceFile } from "./replace_file.ts";
import {
  ensureParentFolder,
  findWriteTarget,
  removeFolders,
  type WriteTarget,
} from "./write_target.ts";

/** The attributes of a written file, and what stops the write. */
export interface WriteOptions {
  /** Owner. @default {the present one; the server's user for a new file} */
  readonly uid?: number | undefined;
  /** Group. @default {the present one; the folder's default for a new file} */
  readonly gid?: number | undefined;
  /** Change of the mode. @default {none; a new file has 0666 without the bits of the umask} */
  readonly changeMode?: ModeChange | undefined;
  /** The server's umask; it is read once, because reading it clears it for a moment. */
  readonly umask: number;
  /** Whether to create missing folders. @default {false} */
  readonly createParents?: boolean | undefined;
  /** Whose rights bound the path: `extra.caller`. @default {a caller that may do everything} */
  readonly caller?: Caller | undefined;
  /** Stops the writing; the file is then untouched. */
  readonly signal: AbortSignal;
  /** How long the writing may take, in milliseconds. @default {30_000} */
  readonly timeoutMs?: number | undefined;
  /** The user as whom the file is written: `extra.user`. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/**
 * Writes a file whole or not at all: the target of the path is always the old or the new content,
 * and a failure leaves no trace; only a killed process may leave its temporary file in the folder,
 * `.write-*.tmp`, which nobody else can read. Mode, owner and group of an existing file are kept;
 * access control lists and extended attributes are not. A file with several names (hard links) is
 * written in place, so that a crash may leave it half written. When the file system hangs, the call
 * rejects once it is stopped or its time is over; if it hangs in the very last step, the new content
 * may still come. Resolves with the path, made absolute. Rejects with a `NotAllowedError` if the
 * caller may not use the real path.
 */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  options.signal.throwIfAborted();
  const { user } = options;
  const file: FileAction = {
    action: "write",
    path: parseFilePath({ action: "write", path }),
    user,
  };
  try {
    await withFileSystem(file, options, async (system, { path, signal }) => {
      const target = await findWriteTarget(system, path);
      await writeTarget(system, target, { ...options, bytes, signal });
    });
    return file.path;
  } catch (error) {
    throw toFileError(error, file);
  }
}

async function writeTarget(
  system: FileSystem,
  target: WriteTarget,
  options: WriteOptions & { readonly bytes: Uint8Array },
): Promise<void> {
  const { bytes, createParents = false, signal } = options;
  const replacement = { bytes, attributes: attributesOf(target, options), signal };
  signal.throwIfAborted();
  if (target.existing !== undefined && target.existing.nlink > 1) {
    return await overwriteFile(system, target, replacement);
  }
  const created = await ensureParentFolder(system, target, createParents);
  try {
    await replaceFile(system, target, replacement);
  } catch (error) {
    await removeFolders(system, created);
    throw error;
  }
}

function attributesOf({ existing }: WriteTarget, options: WriteOptions): FileAttributes {
  const { uid = existing?.uid, gid = existing?.gid, changeMode, umask } = options;
  const mode = existing === undefined ? 0o666 & ~umask : existing.mode & 0o7777;
  return { uid, gid, mode: changeMode?.(mode, umask) ?? mode };
}

/** How the content of a file is encoded in a JSON string. */
export type Encoding = "utf8" | "base64";

/**
 * Decodes a string to bytes. Throws a `ToolError` if it has no exact bytes: half a surrogate pair,
 * or base64 other than that of RFC 4648, section 4, with padding and without line breaks.
 */
export function parseFileContent(content: string, encoding: Encoding): Uint8Array {
  return encoding === "base64" ? parseBase64(content) : parseText(content);
}

function parseText(content: string): Uint8Array {
  if (content.isWellFormed()) return new TextEncoder().encode(content);
  throw new ToolError(
    'Cannot encode "content": it holds half of a surrogate pair; send the bytes as base64',
    { code: "INVALID_CONTENT" },
  );
}

function parseBase64(content: string): Uint8Array {
  const bytes = exactBase64(content);
  if (bytes !== undefined) return bytes;
  throw new ToolError(
    'Cannot decode "content": it is not base64 of the standard alphabet, padded and on one line',
    { code: "INVALID_CONTENT" },
  );
}
