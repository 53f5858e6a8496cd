import { dirname } from "node:path/posix";
import { matchesPath, mayLeadTo } from "../shared/wildcard.ts";
import { systemCode, systemError } from "./file_error.ts";

/** The system calls of a walk; they change the working folder of the process. */
export interface WalkSteps {
  chdir(path: string): void;
  /** The real path of the working folder, as the system knows it. */
  cwd(): string;
  /** The target of a symbolic link; `undefined` if the name is something else. */
  readlink(name: string): string | undefined;
}

/**
 * Where a walk ended: in `folder`, a real path that is now the working folder. `names` leads on from
 * there: to the target, or to the first missing folder and beyond; it is empty if the folder itself
 * is the target.
 */
export type Walk =
  | { readonly allowed: true; readonly folder: string; readonly names: readonly string[] }
  | { readonly allowed: false };

/** How a path is walked. */
export interface WalkOptions {
  /** The patterns of the real paths that may be reached. */
  readonly patterns: readonly string[];
  /** Whether the target is a folder to enter; otherwise the walk ends in the folder above it. */
  readonly into: boolean;
}

/** As many links as Linux follows (path_resolution(7)). */
const MOST_LINKS = 40;
const OUTSIDE: Walk = Object.freeze({ allowed: false });

/**
 * Walks an absolute path name by name, as the system resolves it, and enters each folder on the way.
 * What counts is the real path of the folder that was entered: a link that changes meanwhile leads
 * elsewhere, but never past the check. Throws the system's error only if the path would be allowed:
 * a missing file outside is the same as an existing one.
 */
export function walkPath(path: string, { patterns, into }: WalkOptions, steps: WalkSteps): Walk {
  const ahead = namesOf(path, "path").reverse();
  let at = enter("/", steps);
  let links = 0;
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { name, of } = next;
    if (name === ".") continue;
    // Going up from a forbidden folder must not show whether the folder exists.
    if (name === ".." && of === "path" && !mayLeadTo(at, patterns)) return OUTSIDE;
    try {
      const target = name === ".." ? undefined : steps.readlink(`./${name}`);
      if (target === undefined) {
        const isLast = ahead.length === 0 && name !== "..";
        if (isLast && !into) return verdict(at, [name], patterns);
        at = enter(name === ".." ? name : `./${name}`, steps);
        continue;
      }
      if (++links > MOST_LINKS) throw systemError("ELOOP");
      if (target.startsWith("/")) at = enter("/", steps);
      ahead.push(...namesOf(target, "link").reverse());
    } catch (error) {
      const names = [next, ...ahead.toReversed()].map(({ name }) => name);
      return missing(error, { at, names, patterns, into });
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

function enter(folder: string, steps: WalkSteps): string {
  steps.chdir(folder);
  return steps.cwd();
}

function verdict(folder: string, names: readonly string[], patterns: readonly string[]): Walk {
  const target = names.reduce(below, folder);
  return matchesPath(target, patterns) ? { allowed: true, folder, names } : OUTSIDE;
}

/** What a path is from which the walk can't go on: judged by its names, as if they existed. */
function missing(
  error: unknown,
  { at, names, patterns, into }: WalkOptions & { at: string; names: readonly string[] },
): Walk {
  let path = at;
  for (const name of names) {
    if (name === ".." && !mayLeadTo(path, patterns)) return OUTSIDE;
    if (name === "..") path = dirname(path);
    else if (name !== ".") path = below(path, name);
  }
  if (!matchesPath(path, patterns)) return OUTSIDE;
  const isPlain = names.every((name) => name !== "." && name !== "..");
  if (systemCode(error) !== "ENOENT" || into || !isPlain) throw error;
  return { allowed: true, folder: at, names };
}

/** The path of a name in a folder. */
export function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
