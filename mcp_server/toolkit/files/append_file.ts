import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { systemCode } from "../../files/file_error.ts";
import { type FileSystem, type OpenFile, openRegularFile } from "../../files/file_system.ts";
import { takeTurn } from "../../shared/concurrency.ts";
import { ensureMode, ensureOwner, type WriteTarget } from "./replace_file.ts";
import { atTarget, inParentFolder, type WriteOptions } from "./write_whole_file.ts";

/** The function that tools use, see `appendToFile()` of `file_functions.ts`. */
export async function appendToFile(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  const { createParents = false } = options;
  return await atTarget(path, options, async (system, target, signal) => {
    await inParentFolder(system, target, createParents, async () => {
      await takeTurn(target.path, () => append(system, target, bytes, options), { signal });
    });
  });
}

async function append(
  system: FileSystem,
  target: WriteTarget,
  bytes: Uint8Array,
  { uid, gid, changeMode, umask }: WriteOptions,
): Promise<void> {
  const { path, folder } = target;
  const usual = 0o666 & ~umask;
  const newMode = changeMode?.(usual, umask) ?? usual;
  const { file, isNew } = await openAtEnd(system, target, newMode);
  await using open = file;
  const now = await open.stat();
  const oldMode = now.mode & 0o7777;
  const mode = isNew ? newMode : changeMode?.(oldMode, umask) ?? oldMode;
  // What may be refused comes first; writing clears the setuid and setgid bits.
  await ensureOwner(open, { path, uid, gid });
  await ensureMode(open, { path, mode });
  await writeAtEnd(open, bytes, now.size).catch(async (error) => {
    await removePart(system, target, open, { bytes, size: now.size });
    throw error;
  });
  await ensureMode(open, { path, mode });
  await open.sync();
  if (isNew) await system.syncFolder(folder);
}

/** Opens a file at its end. One that was not there is created, unless it has come meanwhile. */
async function openAtEnd(
  system: FileSystem,
  { path, existing }: WriteTarget,
  mode: number,
): Promise<{ file: OpenFile; isNew: boolean }> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
  const flags = O_WRONLY | O_APPEND;
  if (existing === undefined) {
    try {
      const file = await system.open(path, flags | O_CREAT | O_EXCL, mode & 0o777);
      return { file, isNew: true };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
  }
  return { file: await openRegularFile(system, { action: "write", path, flags }), isNew: false };
}

async function writeAtEnd(file: OpenFile, bytes: Uint8Array, size: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written), size + written);
  }
}

/** What was written before the disk was full, and where the file ended before. */
interface Part {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** Removes a part of the bytes, if nothing else follows the old end of the file. */
async function removePart(
  system: FileSystem,
  { path }: WriteTarget,
  file: OpenFile,
  { bytes, size }: Part,
): Promise<void> {
  const length = (await file.stat()).size - size;
  if (length <= 0 || length > bytes.length) return;
  try {
    await using reader = await openRegularFile(system, {
      action: "read",
      path,
      flags: constants.O_RDONLY,
    });
    const added = await reader.read(length + 1, size, size + length);
    if (Buffer.compare(added, bytes.subarray(0, length)) === 0) await file.truncate(size);
  } catch {
    // It can't be read, so nobody knows whose bytes these are.
  }
}
