import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ensureMode, ensureOwner, type FileAttributes } from "./file_attributes.ts";
import { openRegularFile } from "./regular_file.ts";
import type { ReplaceOptions } from "./replace_file.ts";
import { writeBytes } from "./write_bytes.ts";

/** The end of the last of these writes. They are rare, so they take turns for all files together. */
let lastWrite: Promise<unknown> = Promise.resolve();

/**
 * Writes a file in place, so that all its names keep one content. What may be refused comes first
 * and is undone where it fails: owner, mode, and the space beyond the present size. After that the
 * old content is overwritten; a crash just then leaves a mixture.
 */
export function overwriteFile(
  path: string,
  bytes: Uint8Array,
  { attributes, signal }: ReplaceOptions,
): Promise<void> {
  const write = lastWrite.then(() => {
    signal.throwIfAborted();
    return overwrite(path, bytes, attributes);
  });
  lastWrite = write.catch(() => {});
  return write;
}

async function overwrite(
  path: string,
  bytes: Uint8Array,
  attributes: FileAttributes,
): Promise<void> {
  await using file = await openRegularFile({ action: "write", path }, constants.O_WRONLY);
  const { size } = await file.stat();
  await prepare(file, path, { attributes, tail: bytes.subarray(size) });
  await writeBytes(file, bytes.subarray(0, size), { position: 0 });
  await file.truncate(bytes.length);
  await ensureMode(file, { path, mode: attributes.mode });
  await file.sync();
}

interface Preparation {
  readonly attributes: FileAttributes;
  /** The bytes that lie beyond the present size. */
  readonly tail: Uint8Array;
}

async function prepare(file: FileHandle, path: string, { attributes, tail }: Preparation) {
  const { uid, gid, mode, size } = await file.stat();
  try {
    await ensureOwner(file, { path, ...attributes });
    await ensureMode(file, { path, mode: attributes.mode });
    await writeBytes(file, tail, { position: size });
    await file.sync();
  } catch (error) {
    await file.truncate(size);
    await ensureOwner(file, { path, uid, gid });
    await ensureMode(file, { path, mode: mode & 0o7777 });
    throw error;
  }
}
