import { dirname } from "node:path/posix";
import type { Caller } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, quotePath, systemCode, toFileError } from "../../files/file_error.ts";
import type { FileStats } from "../../files/file_operations.ts";
import { ensureRegularFile, type FileSystem } from "../../files/file_system.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { ToolError } from "../../shared/error.ts";
import {
  type FileAttributes,
  type FileContent,
  overwriteFile,
  replaceFile,
  type WriteTarget,
} from "./replace_file.ts";
import type { ModeChange } from "./file_attributes.ts";

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

/** The function that tools use, see `writeWholeFile()` of `file_functions.ts`. */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  return await atTarget(path, options, async (system, target, signal) => {
    await writeTarget(system, target, bytes, { ...options, signal });
  });
}

/**
 * Does something with the file that a path leads to; resolves with the path, made absolute. Rejects
 * with an error that names the path.
 */
export async function atTarget(
  path: string,
  options: WriteOptions,
  work: (system: FileSystem, target: WriteTarget, signal: AbortSignal) => Promise<void>,
): Promise<string> {
  options.signal.throwIfAborted();
  const file: FileAction = { ...parseFilePath("write", path), user: options.user };
  try {
    await withFileSystem(file, options, async (system, path, signal) => {
      await work(system, await findWriteTarget(system, path), signal);
    });
    return file.path;
  } catch (error) {
    throw toFileError(error, file);
  }
}

/**
 * Writes the file that a path leads to; `ensureUnchanged` is called just before its content changes.
 * Content that is not there yet as bytes replaces a file with several names under this name only.
 */
export async function writeTarget(
  system: FileSystem,
  target: WriteTarget,
  content: FileContent,
  options: WriteOptions & { readonly ensureUnchanged?: () => Promise<void> },
): Promise<void> {
  const { createParents = false, signal, ensureUnchanged } = options;
  const attributes = attributesOf(target, options);
  const replacement = { attributes, signal, ensureUnchanged };
  signal.throwIfAborted();
  if (typeof content !== "function" && (target.existing?.nlink ?? 1) > 1) {
    return await overwriteFile(system, target, { content, ...replacement });
  }
  await inParentFolder(system, target, createParents, async () => {
    await replaceFile(system, target, { content, ...replacement });
  });
}

/** Does something in the folder of a target; folders that were created for it go if it fails. */
export async function inParentFolder(
  system: FileSystem,
  target: WriteTarget,
  createParents: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const created = await ensureParentFolder(system, target, createParents);
  try {
    await work();
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

/** As many links as Linux follows (path_resolution(7)). */
const MAX_LINKS = 40;
const FOLDER_PATH = /(^|\/)\.{0,2}$/;

/**
 * Finds the file that writing to a path is about: for a symbolic link its target, which need not
 * exist yet. Throws a `ToolError` if it can't be a regular file.
 */
export async function findWriteTarget(system: FileSystem, path: string): Promise<WriteTarget> {
  const existing = await statOf(system, path);
  if (existing === undefined) return newTarget(system, path);
  ensureRegularFile(existing, { action: "write", path });
  const target = await system.realpath(path);
  return { path: target, folder: dirname(target), existing };
}

async function newTarget(system: FileSystem, path: string): Promise<WriteTarget> {
  const target = await followLinks(system, path);
  if (FOLDER_PATH.test(target)) {
    throw new ToolError(
      `Cannot write ${quotePath(path)}: the path names a folder; add a file name`,
      { code: "NOT_A_FILE" },
    );
  }
  return { path: target, folder: dirname(target) };
}

async function followLinks(system: FileSystem, path: string): Promise<string> {
  let at = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const target = await linkTarget(system, at);
    if (target === undefined) break;
    at = target.startsWith("/") ? target : `${dirname(at)}/${target}`;
  }
  return at;
}

async function linkTarget(system: FileSystem, path: string): Promise<string | undefined> {
  try {
    return await system.readlink(path);
  } catch (error) {
    // Nothing, or something else than a link.
    if (["ENOENT", "EINVAL"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

async function statOf(system: FileSystem, path: string): Promise<FileStats | undefined> {
  try {
    return await system.stat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Creates the missing parent folders of a file; returns those it created, the outermost first.
 * Throws a `ToolError` if the folder is missing and may not be created.
 */
async function ensureParentFolder(
  system: FileSystem,
  { path, folder }: WriteTarget,
  createParents: boolean,
): Promise<string[]> {
  const missing = await missingFolders(system, folder);
  if (missing.length === 0) return [];
  if (createParents) return await createFolders(system, missing);
  throw new ToolError(
    `Cannot write ${quotePath(path)}: its folder ${quotePath(folder)} does not exist; ` +
      'use "createParents": true to create it',
    { code: "NO_FOLDER" },
  );
}

/** Removes folders that a failed call created; one that is now in use stays. */
async function removeFolders(
  system: FileSystem,
  folders: readonly string[],
): Promise<void> {
  for (const folder of folders.toReversed()) await system.rmdir(folder).catch(() => {});
}

async function missingFolders(system: FileSystem, folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; await statOf(system, at) === undefined; at = dirname(at)) {
    missing.unshift(at);
  }
  return missing;
}

async function createFolders(
  system: FileSystem,
  folders: readonly string[],
): Promise<string[]> {
  const created: string[] = [];
  try {
    for (const folder of folders) {
      if (!(await createFolder(system, folder))) continue;
      created.push(folder);
      await system.syncFolder(dirname(folder));
    }
    return created;
  } catch (error) {
    await removeFolders(system, created);
    throw error;
  }
}

/** Whether this call created the folder; another call may have been quicker. */
async function createFolder(system: FileSystem, folder: string): Promise<boolean> {
  try {
    await system.mkdir(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}
