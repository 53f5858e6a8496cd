import { dirname } from "node:path/posix";
import { ToolError } from "../../shared/error.ts";
import { quotePath, systemCode } from "./file_error.ts";
import type { FileStats } from "./file_system/file_operations.ts";
import type { FileSystem } from "./file_system/file_system.ts";
import { ensureRegularFile } from "./regular_file.ts";

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
      {
        code: "NOT_A_FILE",
      },
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
    if (isOneOf(error, ["ENOENT", "EINVAL"])) return undefined;
    throw error;
  }
}

async function statOf(system: FileSystem, path: string): Promise<FileStats | undefined> {
  try {
    return await system.stat(path);
  } catch (error) {
    if (isOneOf(error, ["ENOENT"])) return undefined;
    throw error;
  }
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(systemCode(error) ?? "");
}
