import { lstatSync, mkdirSync, readlinkSync, rmdirSync } from "node:fs";
import { dirname } from "node:path/posix";
import { matchesPath } from "../../../shared/wildcard.ts";
import { systemCode } from "../file_error.ts";
import { FILE_OPERATIONS, type FileStats, toFileStats } from "../file_system/file_operations.ts";
import { below, type Walk, type WalkOptions, walkPath, type WalkSteps } from "./walk_path.ts";

/** What became of a step into a new folder. */
export interface Step {
  /** Whether the step created the folder; another call may have been quicker. */
  readonly created: boolean;
  /** Whether the folder that was entered is the one that was meant. */
  readonly allowed: boolean;
}

const STEPS: WalkSteps = {
  chdir: (path) => Deno.chdir(path),
  cwd: () => Deno.cwd(),
  readlink: (name) => {
    try {
      return readlinkSync(name);
    } catch (error) {
      if (systemCode(error) === "EINVAL") return undefined;
      throw error;
    }
  },
};

/**
 * The system calls of a process that works in one folder at a time: its working folder, so that a
 * name without folders is a name in the folder that was checked, whatever happens to the path that
 * led to it.
 */
export const FOLDER_OPERATIONS = Object.freeze({
  ...FILE_OPERATIONS,
  /** What a name is, without following links. */
  lstat: (name: string): FileStats => toFileStats(lstatSync(name)),
  /** Walks to a path, and ends in its folder. */
  walk: (path: string, options: WalkOptions): Walk => walkPath(path, options, STEPS),
  /** Creates a folder in the working folder, and enters it. */
  enterNew: (name: string, patterns: readonly string[]): Step => {
    const meant = below(Deno.cwd(), name);
    if (!matchesPath(meant, patterns)) return { created: false, allowed: false };
    const created = makeFolder(`./${name}`);
    Deno.chdir(`./${name}`);
    return { created, allowed: Deno.cwd() === meant };
  },
  /** Leaves the working folder for the one above it, and removes it if it is empty. */
  removeAndLeave: (path: string): void => {
    if (Deno.cwd() !== path) return;
    Deno.chdir("..");
    if (Deno.cwd() === dirname(path)) rmdirSync(`./${path.slice(path.lastIndexOf("/") + 1)}`);
  },
  /** Leaves the folder of a call that has ended, so that it can be unmounted. */
  leave: (): void => Deno.chdir("/"),
});

/** The system calls of such a process, by name. */
export type FolderOperations = typeof FOLDER_OPERATIONS;

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}
