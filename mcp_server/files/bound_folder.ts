import { NotAllowedError, ToolError } from "../shared/error.ts";
import type { CommandSpec, HeldFolder } from "../tool/command.ts";
import type { ToolExtra } from "../tool/tool.ts";
import { type BoundedUse, inBoundedFolder, isBounded } from "./bounded_file_system.ts";
import {
  type FileAction,
  parseFilePath,
  quotePath,
  systemCode,
  toFileError,
} from "./file_error.ts";
import { inTime } from "./with_file_system.ts";

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

/** Whose call it is, as whom it is carried out, where its home is, and what stops it. */
export type FolderUse = Pick<ToolExtra, "caller" | "user" | "home" | "signal">;

/**
 * Binds the working folder of a command to the rights of the caller: it starts in the folder that
 * was checked, also if a link changes in between. One without a folder starts in the server's. `~` is
 * the `HOME` that the command has.
 */
export function bindFolder(spec: CommandSpec, use: FolderUse): CommandSpec {
  if (spec.cwd === undefined) return spec;
  const { caller, user, home } = use;
  const cwd = expandHome(spec.cwd, { home: spec.env?.HOME ?? home });
  if (!isBounded(caller)) return { ...spec, cwd };
  return { ...spec, cwd, holdCwd: (signal) => holdFolder(cwd, { caller, user, signal }) };
}

/**
 * Throws a `NotAllowedError` if the caller may not use one of the folders, so that nothing of a call
 * runs if a part of it is not allowed. Missing ones are reported when they are needed.
 */
export async function ensureFolders(
  folders: readonly (string | undefined)[],
  { caller, user, home, signal }: FolderUse,
): Promise<void> {
  const named = folders.filter((folder) => folder !== undefined);
  const paths = new Set(named.map((folder) => expandHome(folder, { home })));
  if (!isBounded(caller)) return;
  for (const folder of paths) {
    try {
      await using _folder = await holdFolder(folder, { caller, user, signal });
    } catch (error) {
      if (error instanceof NotAllowedError) throw error;
      signal.throwIfAborted();
    }
  }
}

/**
 * Enters a folder that a caller may use, and stays in it until disposal: its path leads there,
 * whatever happens to the one by which it was requested. Rejects with a `NotAllowedError` if the
 * caller may not use it, and with a `ToolError` if it is missing.
 */
export async function holdFolder(
  path: string,
  { signal, ...use }: Omit<BoundedUse, "into">,
): Promise<HeldFolder> {
  const { user } = use;
  const folder: FileAction = {
    action: "enter",
    path: parseFilePath({ action: "enter", path }),
    user,
  };
  const entered = Promise.withResolvers<Omit<HeldFolder, symbol>>();
  const left = Promise.withResolvers<void>();
  try {
    const held = await inTime(folder, { signal }, (signal) => {
      inBoundedFolder(folder, { ...use, signal, into: true }, async (system, process) => {
        entered.resolve({ path: process.folder, realPath: system.target });
        await left.promise;
      }).catch(entered.reject);
      return entered.promise;
    });
    return {
      ...held,
      [Symbol.asyncDispose]: () => Promise.resolve(left.resolve()),
    };
  } catch (error) {
    left.resolve();
    throw toFolderError(error, folder);
  }
}

function toFolderError(cause: unknown, folder: FileAction): unknown {
  const refuse = (code: string, state: string) =>
    new ToolError(`Cannot enter the working folder ${quotePath(folder.path)}: ${state}`, {
      code,
      cause,
    });
  const code = systemCode(cause);
  if (code === "ENOENT") return refuse("CWD_NOT_FOUND", "it does not exist");
  if (code === "ENOTDIR") return refuse("CWD_NOT_A_FOLDER", "it is not a folder");
  return toFileError(cause, folder);
}
