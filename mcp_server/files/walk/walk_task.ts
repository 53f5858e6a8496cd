import { basename } from "node:path/posix";
import { type LinePatternCompiler, loadLinePatterns } from "../../shared/line_pattern.ts";
import { FileList, type ListBounds, type ListedFile } from "./file_list.ts";
import { type LineMatch, type MatchBounds, MatchCollector, searchFile } from "./file_search.ts";
import { type WalkAccess, walkFolder } from "./folder_walk.ts";
import { type FileFilter, parseFileFilter } from "./glob.ts";

/** What is looked at below a real path. */
interface WalkScope {
  readonly path: string;
  /** Which files, by a glob. @default {all} */
  readonly glob?: string | undefined;
  /** Whether what a `.gitignore` names counts, too. @default {false} */
  readonly all?: boolean | undefined;
}

/** A search for lines. */
export interface SearchRequest extends WalkScope, MatchBounds {
  readonly action: "search";
  /** Whether the path is one of a file, not a folder. */
  readonly isFile: boolean;
  /** A regular expression in the syntax of RE2. */
  readonly pattern: string;
  readonly ignoreCase?: boolean | undefined;
}

/** A list of a folder. */
interface ListRequest extends WalkScope, ListBounds {
  readonly action: "list";
  /** How many levels of folders it shows. */
  readonly depth: number;
}

/** What a walk is to find. */
export type WalkRequest = SearchRequest | ListRequest;

/** What a walk has found: matches of a search, or entries of a list. */
export interface WalkResult {
  readonly matches: readonly LineMatch[];
  readonly entries: readonly ListedFile[];
  /** How many files were searched. */
  readonly files: number;
  /** How many more entries there are. */
  readonly more: number;
  /** Whether there is more to find: not all matches fit, or the time was over. */
  readonly truncated: boolean;
}

const NOTHING: WalkResult = { matches: [], entries: [], files: 0, more: 0, truncated: false };

/** Work that goes on step by step. */
interface WalkTask {
  readonly steps: Generator<void, void>;
  /** Files that need not be searched: nothing in them matches. */
  readonly passed?: Set<string>;
  result(isDone: boolean): WalkResult;
}

/** Those of the walks that have begun and not ended, by number. */
const tasks = new Map<number, WalkTask>();
let last = 0;

/** Begins a walk; returns its number. Throws a `ToolError` for a wrong pattern. */
export async function beginWalk(request: WalkRequest, access: WalkAccess): Promise<number> {
  const compile = await loadLinePatterns();
  const filter = parseFileFilter(request.glob, compile);
  const work = { access, compile, filter };
  last++;
  tasks.set(last, request.action === "list" ? list(request, work) : search(request, work));
  return last;
}

/** A walk goes on for so long before other requests have their turn. */
const STEP_MS = 50;

/** Goes on with a walk; returns what it has found once it is done, or when this is its last turn. */
export function continueWalk(id: number, isLast: boolean): WalkResult | null {
  const task = tasks.get(id);
  if (task === undefined) throw new RangeError(`Cannot go on with the walk ${id}: it has ended`);
  for (const until = performance.now() + STEP_MS; performance.now() < until;) {
    if (task.steps.next().done) return task.result(true);
  }
  return isLast ? task.result(false) : null;
}

/**
 * Tells a search about files below its folder in which nothing matches, and which have no NUL. Returns
 * how many of them it has not come to.
 */
export function passFiles(id: number, paths: readonly string[]): number {
  const passed = tasks.get(id)?.passed;
  for (const path of paths) passed?.add(path);
  return passed?.size ?? 0;
}

/** Ends a walk, done or not. */
export function endWalk(id: number): void {
  tasks.get(id)?.steps.return();
  tasks.delete(id);
}

/** What a task works with. */
interface WalkWork {
  readonly access: WalkAccess;
  readonly compile: LinePatternCompiler;
  readonly filter: FileFilter;
}

function list(request: ListRequest, { access, compile, filter }: WalkWork): WalkTask {
  const { path, all = false, depth } = request;
  const found = new FileList(request);
  const steps = function* (): Generator<void, void> {
    for (const entry of walkFolder(path, { access, compile, all, depth })) {
      if (entry !== undefined && filter.matches(entry.name, entry.path)) found.add(entry);
      yield;
    }
  };
  return {
    steps: steps(),
    result: (isDone) => {
      const { entries, more } = found;
      return { ...NOTHING, entries, more, truncated: !isDone };
    },
  };
}

function search(request: SearchRequest, { access, compile, filter }: WalkWork): WalkTask {
  const { path: root, isFile, all = false, ignoreCase } = request;
  const pattern = compile(request.pattern, { ignoreCase });
  const collector = new MatchCollector(request);
  let files = 0;
  const passed = new Set<string>();
  const searchOne = function* (path: string, at: string): Generator<void, void> {
    if (yield* searchFile(at, { path, pattern, collector })) files++;
  };
  const steps = function* (): Generator<void, void> {
    if (isFile) return yield* searchOne(basename(root), access.locate(root) ?? "");
    for (const entry of walkFolder(root, { access, compile, all, depth: Infinity })) {
      const isWanted = entry?.type === "file" && filter.matches(entry.name, entry.path);
      if (isWanted && passed.delete(entry.path)) files++;
      else if (isWanted) yield* searchOne(entry.path, entry.at);
      if (collector.isTruncated) return;
      yield;
    }
  };
  return {
    steps: steps(),
    passed,
    result: (isDone) => {
      const { matches, isTruncated } = collector;
      return { ...NOTHING, matches, files, truncated: isTruncated || !isDone };
    },
  };
}
