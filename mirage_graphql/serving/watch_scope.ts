import { basename, dirname, resolve, sep } from "node:path";

/** What to watch. */
export interface WatchedPaths {
  /** A missing one may come back as a folder. */
  readonly files: readonly string[];
  /** Folders in which files may appear and disappear; those below are listed too. */
  readonly folders: readonly string[];
}

/**
 * What an event means: a file has changed; files may have appeared or disappeared; or the folder of
 * a file has been removed, renamed or created, so that it has to be watched anew.
 */
export type Change = "file" | "list" | "folder";

/** The folders that one watcher watches, and what their events mean. */
export interface WatchScope {
  /** All exist: instead of a missing one, this is the nearest above it. */
  readonly folders: readonly string[];
  /** What an event means; `undefined` if nothing. */
  changeOf(event: Pick<Deno.FsEvent, "kind" | "paths">): Change | undefined;
  /** Whether a folder has appeared or disappeared, so that others are to be watched. */
  isOutdated(): boolean;
}

/**
 * Finds the folders to watch for the paths as they exist now: folders, because many editors replace
 * a file with a new one; of a link, those of both ends.
 */
export function watchScopeOf({ files, folders }: WatchedPaths): WatchScope {
  const paths = files.flatMap(bothEnds);
  const names = new Set(paths.map((path) => basename(path)));
  const own = paths.filter(isFolder);
  const nearest = new Map(
    [...paths.map(dirname), ...own].map((folder) => [folder, nearestFolder(folder)]),
  );
  const listed = new Set([...folders.map((path) => resolve(path)), ...own]);
  const isAboveFile = (path: string) =>
    [...nearest.keys()].some((folder) => `${folder}${sep}`.startsWith(`${path}${sep}`));
  return {
    folders: [...new Set([...nearest.values(), ...[...listed].filter(exists)])],
    changeOf({ kind, paths: changed }) {
      if (kind === "access") return undefined;
      const isEntry = kind !== "modify";
      if (isEntry && changed.some(isAboveFile)) return "folder";
      if (changed.some((path) => names.has(basename(path)))) return "file";
      return isEntry && changed.some((path) => listed.has(dirname(path))) ? "list" : undefined;
    },
    isOutdated: () =>
      [...nearest].some(([folder, found]) => nearestFolder(folder) !== found) ||
      paths.some((path) => !nearest.has(path) && isFolder(path)),
  };
}

/** A path, and where it leads if it is a link. */
function bothEnds(path: string): string[] {
  return [resolve(path), targetOf(path) ?? resolve(path)];
}

/** A folder, or the nearest one above it that exists. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return exists(path) || above === path ? path : nearestFolder(above);
}

function exists(path: string): boolean {
  return targetOf(path) !== undefined;
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Where a path leads, or the path itself if that can't be read; `undefined` if it is missing. */
function targetOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    return MISSING.some((kind) => error instanceof kind) ? undefined : path;
  }
}

const MISSING = [Deno.errors.NotFound, Deno.errors.NotADirectory];
