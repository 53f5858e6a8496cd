import { isBounded } from "../access/caller.ts";
import { NotAllowedError, ToolError } from "../shared/error.ts";
import { lateModule } from "../shared/concurrency.ts";
import type { CommandSpec, HeldFolder } from "../tool/command.ts";
import type { ToolExtra } from "../tool/tool.ts";
import { expandHome, type FileAction, quotePath, systemCode, toFileError } from "./file_error.ts";
import type { BoundedUse } from "./with_file_system.ts";

/** Few callers have bounded paths. */
const fileSystems = lateModule<typeof import("./with_file_system.ts")>(
  import.meta.resolve("./with_file_system.ts"),
);

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
  const { inBoundedFolder, inTime, parseFilePath } = await fileSystems();
  const folder: FileAction = { ...parseFilePath("enter", path), user: use.user };
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
    return { ...held, [Symbol.asyncDispose]: () => Promise.resolve(left.resolve()) };
  } catch (error) {
    left.resolve();
    throw toFolderError(error, folder);
  }
}

function toFolderError(cause: unknown, folder: FileAction): unknown {
  const start = `Cannot enter the working folder ${quotePath(folder.path)}`;
  const refuse = (code: string, state: string) =>
    new ToolError(`${start}: ${state}`, { code, cause });
  const code = systemCode(cause);
  if (code === "ENOENT") return refuse("CWD_NOT_FOUND", "it does not exist");
  if (code === "ENOTDIR") return refuse("CWD_NOT_A_FOLDER", "it is not a folder");
  return toFileError(cause, folder);
}
