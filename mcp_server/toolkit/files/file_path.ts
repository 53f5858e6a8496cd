import { ToolError } from "../../domain/error.ts";
import { type FileAction, quote } from "./file_error.ts";

/**
 * Makes a path absolute: a relative one starts at the server's working folder. Nothing else of it
 * changes, because `link/..` is not the folder that the link stands in. Throws a `ToolError` where
 * no file can have the path.
 */
export function parseFilePath({ action, path }: FileAction): string {
  const refuse = (state: string) =>
    new ToolError(`Cannot ${action} ${quote(path)}: ${state}`, { code: "INVALID_PATH" });
  if (path === "") throw refuse("the path is empty");
  if (path.includes("\0")) throw refuse("a path can't hold a NUL character");
  if (!path.isWellFormed()) throw refuse("the path holds half of a surrogate pair");
  return path.startsWith("/") ? path : `${Deno.cwd().replace(/\/$/, "")}/${path}`;
}
