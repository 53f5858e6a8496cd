import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { ToolError } from "../../domain/error.ts";
import { type FileAction, quote } from "./file_error.ts";

/**
 * Opens a regular file and nothing else. It never waits: the kind is looked up first, because
 * opening a device may act on it, and again on the open file, because a FIFO may have come between.
 */
export async function openRegularFile(file: FileAction, flags: number): Promise<FileHandle> {
  ensureRegularFile(await stat(file.path), file);
  const handle = await open(file.path, flags | constants.O_NONBLOCK);
  try {
    ensureRegularFile(await handle.stat(), file);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Throws a `ToolError` that names the kind of whatever is not a regular file. */
export function ensureRegularFile(stats: Stats, { action, path }: FileAction): void {
  if (stats.isFile()) return;
  throw new ToolError(
    `Cannot ${action} ${quote(path)}: it is ${
      kindOf(stats)
    }, not a regular file; use a command for it`,
    { code: "NOT_A_FILE" },
  );
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a FIFO";
  if (stats.isSocket()) return "a socket";
  return "a device";
}
