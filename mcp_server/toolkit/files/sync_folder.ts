import { constants } from "node:fs";
import type { FileSystem } from "./file_system/file_system.ts";

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(system: FileSystem, folder: string): Promise<void> {
  await using handle = await system.open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await handle.sync();
}
