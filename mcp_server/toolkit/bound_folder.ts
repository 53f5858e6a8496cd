import type { CommandSpec } from "../tool/command.ts";
import { NotAllowedError } from "../shared/error.ts";
import type { ToolExtra } from "../tool/tool.ts";
import { expandHome } from "./expand_home.ts";
import { isBounded } from "./files/bounded/bounded_folder.ts";
import { holdFolder } from "./files/bounded/hold_folder.ts";

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
