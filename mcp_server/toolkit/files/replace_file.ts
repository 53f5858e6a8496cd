import { constants } from "node:fs";
import { ToolError } from "../../shared/error.ts";
import { ensureMode, ensureOwner, type FileAttributes } from "./file_attributes.ts";
import { quotePath, systemCode } from "./file_error.ts";
import type { FileSystem, OpenFile } from "./file_system/file_system.ts";
import { ensureRegularFile } from "./regular_file.ts";
import type { WriteTarget } from "./write_target.ts";

/** The attributes of the new file, and what stops the write. */
export interface ReplaceOptions {
  readonly bytes: Uint8Array;
  readonly attributes: FileAttributes;
  readonly signal: AbortSignal;
}

/**
 * Replaces the target with a new file atomically, so that every reader sees either the old or the
 * new content, even after a crash. If it fails, nothing of it is left.
 */
export async function replaceFile(
  system: FileSystem,
  target: WriteTarget,
  options: ReplaceOptions,
): Promise<void> {
  if (target.existing !== undefined) await ensureWritable(system, target.path);
  await using folder = await system.open(target.folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const temporary = `${target.folder}/.write-${crypto.randomUUID()}.tmp`;
  const file = await createTemporary(system, temporary, target);
  try {
    await fill(file, { path: target.path, ...options });
    await system.rename(temporary, target.path);
  } catch (error) {
    await system.unlink(temporary).catch(() => {});
    throw error;
  }
  await folder.sync();
}

async function fill(
  file: OpenFile,
  { path, bytes, attributes, signal }: ReplaceOptions & { readonly path: string },
): Promise<void> {
  await using open = file;
  await ensureOwner(open, { path, ...attributes });
  await open.writeAll(bytes, { position: 0, signal });
  await ensureMode(open, { path, mode: attributes.mode });
  await open.sync();
  signal.throwIfAborted();
}

/** A rename would replace a file that its own permissions protect, so they are checked first. */
async function ensureWritable(system: FileSystem, path: string): Promise<void> {
  try {
    await using file = await system.open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    ensureRegularFile(await file.stat(), { action: "write", path });
  } catch (error) {
    if (systemCode(error) !== "ETXTBSY") throw error;
  }
}

/** Creates a file that nobody else can read, guess or create first. */
async function createTemporary(
  system: FileSystem,
  temporary: string,
  target: WriteTarget,
): Promise<OpenFile> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    return await system.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (cause) {
    if (!["EACCES", "EPERM"].includes(systemCode(cause) ?? "")) throw cause;
    const path = quotePath(target.path);
    throw new ToolError(
      `Cannot write ${path}: the server's user can't create files in its folder, so the file can't be ` +
        "replaced whole; use a command to write it in place",
      { code: "ACCESS_DENIED", cause },
    );
  }
}
