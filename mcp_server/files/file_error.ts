import type { RunAsUser } from "../access/run_as.ts";
import { quote, ToolError } from "../shared/error.ts";
import type { ToolExtra } from "../tool/tool.ts";

/** Who can't, in the texts below. */
const SERVER = "the server's user";
/** The stable code and the message for each of the system's errors that callers see. */
const STATES: ReadonlyMap<string, readonly [code: string, state: string]> = new Map([
  ["ENOENT", ["NOT_FOUND", "it does not exist; check the path"]],
  ["ENOTDIR", ["NOT_FOUND", "a part of its path is a file, not a folder; check the path"]],
  ["EACCES", ["ACCESS_DENIED", "the server's user has no permission for it"]],
  ["EPERM", ["ACCESS_DENIED", "the system does not permit it to the server's user"]],
  ["EROFS", ["ACCESS_DENIED", "its file system is read-only"]],
  ["ENAMETOOLONG", ["INVALID_PATH", "its path, or a name in it, is too long"]],
  ["ELOOP", ["INVALID_PATH", "its symbolic links lead in a circle"]],
  ["ENOSPC", ["NO_SPACE", "no space is left on its file system; free some and try again"]],
  ["EDQUOT", ["NO_SPACE", "the quota of the server's user is used up; free some and try again"]],
  ["EFBIG", ["NO_SPACE", "it would be larger than its file system allows"]],
  ["EBUSY", ["IN_USE", "it is a mount point, which can't be replaced; use a command to change it"]],
  ["ETXTBSY", ["IN_USE", "it is a program that runs now; stop it and try again"]],
  ["EAGAIN", ["NO_DATA", "it has no data now; use a command with a time-out to wait for some"]],
  ["EMFILE", ["TOO_MANY_FILES", "too many files are open; try again in a moment"]],
  ["ENFILE", ["TOO_MANY_FILES", "too many files are open; try again in a moment"]],
]);

/** The action and the file: the start of a message. */
export interface FileAction {
  readonly action: "read" | "edit" | "write" | "enter" | "search" | "list";
  readonly path: string;
  /** The user as whom it is done. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/** A path for a message: quoted, on one line, and not longer than a screen. */
export function quotePath(path: string): string {
  return quote(path, 300);
}

/** The system's name of an error, such as `ENOENT`, or `undefined` for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof ToolError || !("code" in error)) {
    return undefined;
  }
  return typeof error.code === "string" ? error.code : undefined;
}

/** An error with one of the system's names, for what is known without asking the system again. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Describes a system error for the caller; returns any other error unchanged. */
export function toFileError(cause: unknown, { action, path, user }: FileAction): unknown {
  const refuse = (code: string, state: string) => {
    const who = user === undefined ? SERVER : `the user ${quotePath(user.name)}`;
    const message = `Cannot ${action} ${quotePath(path)}: ${state.replace(SERVER, who)}`;
    return new ToolError(message, { code, cause });
  };
  if (cause instanceof Deno.errors.NotCapable) {
    return refuse("ACCESS_DENIED", "the server was started without permission for it");
  }
  if (cause instanceof Deno.errors.InvalidData) {
    return refuse("INVALID_PATH", "its symbolic link has a target that is not UTF-8");
  }
  const name = systemCode(cause);
  if (name === undefined) return cause;
  return refuse(...STATES.get(name) ?? ["FILE_ERROR", `the system answered ${name}`]);
}

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
