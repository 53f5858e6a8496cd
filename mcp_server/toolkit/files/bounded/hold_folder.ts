import type { HeldFolder } from "../../../tool/command.ts";
import { ToolError } from "../../../shared/error.ts";
import {
  type FileAction,
  parseFilePath,
  quotePath,
  systemCode,
  toFileError,
} from "../file_error.ts";
import { inTime } from "../file_system/with_file_system.ts";
import { type BoundedUse, inBoundedFolder } from "./bounded_folder.ts";

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
