import { dirname } from "node:path/posix";
import { quotePath, systemCode } from "../../files/file_error.ts";
import type { FileStats } from "../../files/file_operations.ts";
import { ensureRegularFile, type FileSystem } from "../../files/file_system.ts";
import { ToolError } from "../../shared/error.ts";

/** The file that a path leads to, past every symbolic link. */
export interface WriteTarget {
  readonly path: string;
  readonly folder: string;
  /** The existing file; absent if there is none yet. */
  readonly existing?: FileStats;
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
export async function ensureParentFolder(
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
export async function removeFolders(
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
