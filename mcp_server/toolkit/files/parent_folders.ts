import { mkdir, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path/posix";
import { ToolError } from "../../domain/error.ts";
import { quote, systemCode } from "./file_error.ts";
import { syncFolder } from "./sync_folder.ts";
import type { WriteTarget } from "./write_target.ts";

/**
 * Sees to it that the folder of a file exists; gives the folders that it made, the outermost first.
 * Throws a `ToolError` where the folder is missing and may not be made.
 */
export async function ensureParentFolder(
  { path, folder }: WriteTarget,
  { createParents }: { readonly createParents: boolean },
): Promise<string[]> {
  const missing = await missingFolders(folder);
  if (missing.length === 0) return [];
  if (createParents) return await createFolders(missing);
  throw new ToolError(
    `Cannot write ${quote(path)}: its folder ${quote(folder)} does not exist; ` +
      'use "createParents": true to make it',
    { code: "NO_FOLDER" },
  );
}

/** Removes folders that a failed call made; one that is in use by now stays. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {});
}

async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; !(await exists(at)); at = dirname(at)) missing.unshift(at);
  return missing;
}

async function createFolders(folders: readonly string[]): Promise<string[]> {
  const created: string[] = [];
  try {
    for (const folder of folders) {
      if (!(await createFolder(folder))) continue;
      created.push(folder);
      await syncFolder(dirname(folder));
    }
    return created;
  } catch (error) {
    await removeFolders(created);
    throw error;
  }
}

/** Tells whether this call made the folder; another call may have been quicker. */
async function createFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
