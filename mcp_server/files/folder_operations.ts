import { lstatSync, mkdirSync, readlinkSync, rmdirSync } from "node:fs";
import { dirname } from "node:path/posix";
import { matchesPath, mayLeadTo } from "../shared/wildcard.ts";
import { systemCode, systemError } from "./file_error.ts";
import { FILE_OPERATIONS, type FileStats, toFileStats } from "./file_operations.ts";
import type { WalkAccess } from "./walk/folder_walk.ts";
import { beginWalk, type WalkRequest } from "./walk/walk_task.ts";

/**
 * A request to a file process. The first one names the user whose process it becomes, `null` if it
 * stays that of its own user, and has no reply.
 */
export type ProcessRequest = { readonly become: number | null } | FolderRequest;

/** A later one: an operation. */
export interface FolderRequest {
  readonly name: keyof FolderOperations;
  readonly args: readonly unknown[];
}

/** What became of a step into a new folder. */
interface Step {
  /** Whether the step created the folder; another call may have been quicker. */
  readonly created: boolean;
  /** Whether the folder that was entered is the one that was meant. */
  readonly allowed: boolean;
}

/**
 * The system calls of a process that works in one folder at a time: its working folder, so that a
 * name without folders is a name in the folder that was checked, whatever happens to the path that
 * led to it.
 */
export const FOLDER_OPERATIONS = Object.freeze({
  ...FILE_OPERATIONS,
  /** Begins a walk of a caller who may use the real paths that match one of the patterns. */
  beginBoundedWalk: (request: WalkRequest, patterns: readonly string[]): Promise<number> =>
    beginWalk(request, toAccess(patterns)),
  /** What a name is, without following links. */
  lstat: (name: string): FileStats => toFileStats(lstatSync(name)),
  /** Walks to a path, and ends in its folder. */
  walk: walkPath,
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

/** A walk through working folders: each is judged by its real path after it was entered. */
function toAccess(patterns: readonly string[]): WalkAccess {
  const locate = (path: string, into: boolean): string | undefined => {
    const walk = walkPath(path, patterns, into);
    if (walk === null || walk.names.reduce(below, walk.folder) !== path) return undefined;
    return `./${walk.names.join("/")}`;
  };
  return {
    enter: (folder) => locate(folder, true),
    locate: (file) => locate(file, false),
    allows: (path) => matchesPath(path, patterns),
  };
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Where a walk ended: in `folder`, a real path that is now the working folder. `names` leads on from
 * there: to the target, or to the first missing folder and beyond; it is empty if the folder itself
 * is the target.
 */
interface Walk {
  readonly folder: string;
  readonly names: readonly string[];
}

/** As many links as Linux follows (path_resolution(7)). */
const MOST_LINKS = 40;

/**
 * Walks an absolute path name by name, as the system resolves it, and enters each folder on the way.
 * What counts is the real path of the folder that was entered: a link that changes meanwhile leads
 * elsewhere, but never past the check. Ends in the folder above the target, or in the target if that
 * is a folder to go `into`. Returns `null` if none of the patterns allows the real path. Throws the
 * system's error only if one does: a missing file outside is the same as an existing one.
 */
function walkPath(path: string, patterns: readonly string[], into: boolean): Walk | null {
  const ahead = namesOf(path, "path").reverse();
  let at = enter("/");
  let links = 0;
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { name, of } = next;
    if (name === ".") continue;
    // Going up from a forbidden folder must not show whether the folder exists.
    if (name === ".." && of === "path" && !mayLeadTo(at, patterns)) return null;
    try {
      const target = name === ".." ? undefined : linkTarget(`./${name}`);
      if (target === undefined) {
        const isLast = ahead.length === 0 && name !== "..";
        if (isLast && !into) return verdict(at, [name], patterns);
        at = enter(name === ".." ? name : `./${name}`);
        continue;
      }
      if (++links > MOST_LINKS) throw systemError("ELOOP");
      if (target.startsWith("/")) at = enter("/");
      ahead.push(...namesOf(target, "link").reverse());
    } catch (error) {
      const names = [next, ...ahead.toReversed()].map(({ name }) => name);
      return missing(error, at, names, patterns, into);
    }
  }
  return verdict(at, [], patterns);
}

/** A name that is still ahead, and whether the caller wrote it or a link. */
interface NameAhead {
  readonly name: string;
  readonly of: "path" | "link";
}

/** The names of a path; a last "." requires that the name before it is a folder. */
function namesOf(path: string, of: NameAhead["of"]): NameAhead[] {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (/(^|\/)\.?$/.test(path)) names.push(".");
  return names.map((name) => ({ name, of }));
}

/** Enters a folder, and returns its real path, as the system knows it. */
function enter(folder: string): string {
  Deno.chdir(folder);
  return Deno.cwd();
}

/** The target of a symbolic link; `undefined` if the name is something else. */
function linkTarget(name: string): string | undefined {
  try {
    return readlinkSync(name);
  } catch (error) {
    if (systemCode(error) === "EINVAL") return undefined;
    throw error;
  }
}

function verdict(
  folder: string,
  names: readonly string[],
  patterns: readonly string[],
): Walk | null {
  const target = names.reduce(below, folder);
  return matchesPath(target, patterns) ? { folder, names } : null;
}

/** What a path is from which the walk can't go on: judged by its names, as if they existed. */
function missing(
  error: unknown,
  at: string,
  names: readonly string[],
  patterns: readonly string[],
  into: boolean,
): Walk | null {
  let path = at;
  for (const name of names) {
    if (name === ".." && !mayLeadTo(path, patterns)) return null;
    if (name === "..") path = dirname(path);
    else if (name !== ".") path = below(path, name);
  }
  if (!matchesPath(path, patterns)) return null;
  const isPlain = names.every((name) => name !== "." && name !== "..");
  if (systemCode(error) !== "ENOENT" || into || !isPlain) throw error;
  return { folder: at, names };
}

/** The path of a name in a folder. */
export function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
