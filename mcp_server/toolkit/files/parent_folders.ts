import { dirname } from "node:path/posix";
import { ToolError } from "../../shared/error.ts";
import { quotePath, systemCode } from "./file_error.ts";
import type { FileSystem } from "./file_system/file_system.ts";
import type { WriteTarget } from "./write_target.ts";

/**
 * Creates the missing parent folders of a file; returns those it created, the outermost first.
 * Throws a `ToolError` if the folder is missing and may not be created.
 */
export async function ensureParentFolder(
  system: FileSystem,
  { path, folder }: WriteTarget,
  { createParents }: { readonly createParents: boolean },
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
  for (let at = folder; !(await exists(system, at)); at = dirname(at)) missing.unshift(at);
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

async function exists(system: FileSystem, folder: string): Promise<boolean> {
  try {
    await system.stat(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
