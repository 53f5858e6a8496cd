import { ToolError } from "../../domain/error.ts";
import { type FileAction, quote } from "./file_error.ts";

/**
 * Makes a path absolute: a relative one starts at the server's working folder. Nothing else of it
 * changes, because `link/..` is not the folder that the link stands in. Throws a `ToolError` where
 * no file can have the path.
 */
export function parseFilePath({ action, path }: FileAction): string {
  const refuse = (state: string, code = "INVALID_PATH") =>
    new ToolError(`Cannot ${action} ${quote(path)}: ${state}`, { code });
  if (path === "") throw refuse("the path is empty");
  if (path.includes("\0")) throw refuse("a path can't hold a NUL character");
  if (!path.isWellFormed()) throw refuse("the path holds half of a surrogate pair");
  if (path.startsWith("/")) return path;
  const folder = workingFolder();
  if (folder !== undefined) return `${folder.replace(/\/$/, "")}/${path}`;
  throw refuse("the server's working folder was removed; use an absolute path", "NO_FOLDER");
}

function workingFolder(): string | undefined {
  try {
    return Deno.cwd();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
