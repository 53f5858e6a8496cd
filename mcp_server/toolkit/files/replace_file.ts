import { constants } from "node:fs";
import { quotePath, systemCode } from "../../files/file_error.ts";
import {
  ensureRegularFile,
  type FileSystem,
  type OpenFile,
  openRegularFile,
} from "../../files/file_system.ts";
import { ToolError } from "../../shared/error.ts";
import { takeTurn } from "../../shared/concurrency.ts";
import type { FileStats } from "../../files/file_operations.ts";

/** The file that a path leads to, past every symbolic link. */
export interface WriteTarget {
  readonly path: string;
  readonly folder: string;
  /** The existing file; absent if there is none yet. */
  readonly existing?: FileStats;
}

/** Owner, group and mode that a file is to have; an owner or group left out stays as it is. */
export interface FileAttributes {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly mode: number;
}

/** The content of a new file: its bytes, or what writes them into the empty file. */
export type FileContent = Uint8Array | ((file: OpenFile) => Promise<void>);

/** The attributes of the new file, and what stops the write. */
interface ReplaceOptions<Content extends FileContent = Uint8Array> {
  readonly content: Content;
  readonly attributes: FileAttributes;
  readonly signal: AbortSignal;
  /** Throws if the old content may not be replaced; no other call replaces it after that. */
  readonly ensureUnchanged?: (() => Promise<void>) | undefined;
}

/**
 * Replaces the target with a new file atomically, so that every reader sees either the old or the
 * new content, even after a crash. If it fails, nothing of it is left.
 */
export async function replaceFile(
  system: FileSystem,
  target: WriteTarget,
  options: ReplaceOptions<FileContent>,
): Promise<void> {
  if (target.existing !== undefined) await ensureWritable(system, target.path);
  await using folder = await system.open(target.folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const temporary = `${target.folder}/.write-${crypto.randomUUID()}.tmp`;
  const file = await createTemporary(system, temporary, target);
  try {
    await fill(file, { path: target.path, ...options });
    await takeTurn(target.path, async () => {
      await options.ensureUnchanged?.();
      await system.rename(temporary, target.path);
    }, options);
  } catch (error) {
    await system.unlink(temporary).catch(() => {});
    throw error;
  }
  await folder.sync();
}

async function fill(
  file: OpenFile,
  { path, content, attributes, signal }: ReplaceOptions<FileContent> & { readonly path: string },
): Promise<void> {
  await using open = file;
  await ensureOwner(open, { path, ...attributes });
  if (typeof content === "function") await content(open);
  else await open.writeAll(content, { position: 0, signal });
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
  { content: bytes, attributes, ensureUnchanged }: ReplaceOptions,
): Promise<void> {
  await ensureUnchanged?.();
  await using file = await openRegularFile(system, {
    action: "write",
    path,
    flags: constants.O_WRONLY,
  });
  const { size } = await file.stat();
  await prepare(file, path, attributes, bytes.subarray(size));
  await file.writeAll(bytes.subarray(0, size), { position: 0 });
  await file.truncate(bytes.length);
  await ensureMode(file, { path, mode: attributes.mode });
  await file.sync();
}

/** Does what may be denied; `tail` are the bytes that lie beyond the present size. */
async function prepare(
  file: OpenFile,
  path: string,
  attributes: FileAttributes,
  tail: Uint8Array,
): Promise<void> {
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
