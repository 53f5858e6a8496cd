import { constants } from "node:fs";
import { ensureMode, ensureOwner, type FileAttributes } from "./file_attributes.ts";
import type { FileSystem, OpenFile } from "./file_system/file_system.ts";
import { openRegularFile } from "./regular_file.ts";
import type { ReplaceOptions } from "./replace_file.ts";
import { takeTurn } from "../../shared/concurrency.ts";
import type { WriteTarget } from "./write_target.ts";

/**
 * Writes a file in place, so that all its names keep one content. What may be denied comes first
 * and is undone if it fails: owner, mode, and the space beyond the present size. After that the old
 * content is overwritten; a crash just then leaves a mixture. Writes to one file take turns.
 */
export async function overwriteFile(
  system: FileSystem,
  { path, existing }: WriteTarget,
  options: ReplaceOptions,
): Promise<void> {
  await takeTurn(existing?.identity ?? path, () => overwrite(system, path, options), options);
}

async function overwrite(
  system: FileSystem,
  path: string,
  { bytes, attributes }: ReplaceOptions,
): Promise<void> {
  await using file = await openRegularFile(system, {
    action: "write",
    path,
    flags: constants.O_WRONLY,
  });
  const { size } = await file.stat();
  await prepare(file, path, { attributes, tail: bytes.subarray(size) });
  await file.writeAll(bytes.subarray(0, size), { position: 0 });
  await file.truncate(bytes.length);
  await ensureMode(file, { path, mode: attributes.mode });
  await file.sync();
}

interface Preparation {
  readonly attributes: FileAttributes;
  /** The bytes that lie beyond the present size. */
  readonly tail: Uint8Array;
}

async function prepare(file: OpenFile, path: string, { attributes, tail }: Preparation) {
  const { uid, gid, mode, size } = await file.stat();
  try {
    await ensureOwner(file, { path, ...attributes });
    await ensureMode(file, { path, mode: attributes.mode });
    await file.writeAll(tail, { position: size });
    await file.sync();
  } catch (error) {
    await file.truncate(size);
    await ensureOwner(file, { path, uid, gid });
    await ensureMode(file, { path, mode: mode & 0o7777 });
    throw error;
  }
}
