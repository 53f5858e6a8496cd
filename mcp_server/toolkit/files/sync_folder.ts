import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await handle.sync();
}
