import { ToolError } from "../shared/error.ts";
import type { ToolExtra } from "../tool/tool.ts";
import { quotePath } from "./files/file_error.ts";

/**
 * Replaces `~`, alone or before a slash, at the start of a path by what the commands of the call
 * have as `$HOME`, as shells do (POSIX.1-2024, shell, 2.6.1); other paths stay as they are. Throws a
 * `ToolError` if they have none: a folder named `~` would be used in its place.
 *
 * @example
 * ```ts ignore
 * const path = expandHome("~/notes.txt", extra);
 * ```
 */
export function expandHome(path: string, { home }: Pick<ToolExtra, "home">): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  if (home?.startsWith("/")) return home.replace(/\/+$/, "") + path.slice(1) || "/";
  throw new ToolError(
    `Cannot use ${quotePath(path)}: commands have no HOME here; use an absolute path, or ` +
      `${quotePath(`./${path}`)} for a file of that name`,
    { code: "NO_HOME" },
  );
}
