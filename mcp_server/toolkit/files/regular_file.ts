import { constants } from "node:fs";
import { ToolError } from "../../shared/error.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import type { FileStats } from "./file_system/file_operations.ts";
import type { FileSystem, OpenFile } from "./file_system/file_system.ts";

/**
 * Opens a regular file and nothing else. It never waits: the kind is looked up first, because
 * opening a device may act on it, and again on the open file, because a FIFO may have come between.
 */
export async function openRegularFile(
  system: FileSystem,
  file: FileAction & { readonly flags: number },
): Promise<OpenFile> {
  ensureRegularFile(await system.stat(file.path), file);
  const handle = await system.open(file.path, file.flags | constants.O_NONBLOCK);
  try {
    ensureRegularFile(await handle.stat(), file);
    return handle;
  } catch (error) {
    await handle[Symbol.asyncDispose]();
    throw error;
  }
}

/** Throws a `ToolError` that names the kind of whatever is not a regular file. */
export function ensureRegularFile({ kind }: FileStats, { action, path }: FileAction): void {
  if (kind === "file") return;
  throw new ToolError(
    `Cannot ${action} ${quotePath(path)}: it is ${kind}, not a regular file; use a command for it`,
    { code: "NOT_A_FILE" },
  );
}
