import { constants } from "node:fs";
import { type Caller, DEFAULT_CALLER, isBounded } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, quotePath, toFileError } from "../../files/file_error.ts";
import { type FileSystem, openRegularFile } from "../../files/file_system.ts";
import type { ListedFile } from "../../files/walk/file_list.ts";
import type { LineMatch } from "../../files/walk/file_search.ts";
import { Ripgrep } from "../../files/walk/ripgrep.ts";
import type { SearchRequest, WalkRequest, WalkResult } from "../../files/walk/walk_task.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { ToolError } from "../../shared/error.ts";
import { Semaphore } from "../../shared/semaphore.ts";

/** Which files below a folder are looked at, and what bounds the work. */
export interface FolderOptions {
  /**
   * Which files: by name, or, with a slash in it, by the path below the folder. It may have `*`, `?`,
   * `[a-z]`, `{a,b}`, and `**` for any number of folders. @default {all}
   */
  readonly glob?: string | undefined;
  /** Whether files that a `.gitignore` names count. @default {false} */
  readonly all?: boolean | undefined;
  /** Most matches or entries. */
  readonly limit: number;
  /** Most characters that they take as JSON text; one is returned in any case. */
  readonly maxText: number;
  /** Whose rights bound the paths: `extra.caller`. @default {a caller that may do everything} */
  readonly caller?: Caller | undefined;
  /** Stops the work. */
  readonly signal: AbortSignal;
  /** How long the work may take, in milliseconds. @default {30_000} */
  readonly timeoutMs?: number | undefined;
  /** The user as whom the files are read: `extra.user`. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/** What is searched for. */
export interface SearchOptions extends FolderOptions {
  /** A regular expression in the syntax of RE2, which is applied to one line at a time. */
  readonly pattern: string;
  /** Whether `a` matches `A`. @default {false} */
  readonly ignoreCase?: boolean | undefined;
  /** How many lines before and after a match are wanted. @default {0} */
  readonly context?: number | undefined;
}

/** How a folder is listed. */
export interface ListOptions extends FolderOptions {
  /** How many levels of folders the list shows. @default {1} */
  readonly depth?: number | undefined;
}

/** The lines that were found. */
export interface FoundLines {
  /** In the order of the paths, which are relative to the folder. */
  readonly matches: readonly LineMatch[];
  /** How many files were searched. */
  readonly files: number;
  /** Whether there may be more matches: they do not fit, or the time was over. */
  readonly truncated: boolean;
}

/** The files that were found. */
export interface FoundFiles {
  /** In the order of the paths, which are relative to the folder. */
  readonly entries: readonly ListedFile[];
  /** How many more there are. */
  readonly more: number;
  /** Whether not all were counted, because the time was over. */
  readonly truncated: boolean;
}

/** The function that tools use, see `searchFiles()` of `file_functions.ts`. */
export async function searchFiles(path: string, options: SearchOptions): Promise<FoundLines> {
  const { pattern, ignoreCase, context = 0, glob, all, limit, maxText } = options;
  const wanted = { pattern, ignoreCase, context, glob, all, limit, maxText };
  return await walkFrom("search", path, options, async (system, start) => {
    const isFile = (await system.stat(start)).kind !== "a folder";
    if (isFile) await ensureReadable(system, start);
    return { action: "search", path: start, isFile, ...wanted };
  });
}

/** The function that tools use, see `listFiles()` of `file_functions.ts`. */
export async function listFiles(path: string, options: ListOptions): Promise<FoundFiles> {
  const { depth = 1, glob, all, limit, maxText } = options;
  const wanted = { depth, glob, all, limit, maxText };
  return await walkFrom("list", path, options, async (system, start) => {
    const { kind } = await system.stat(start);
    if (kind === "a folder") return { action: "list", path: start, ...wanted };
    throw new ToolError(
      `Cannot list ${quotePath(path)}: it is ${kind === "file" ? "a file" : kind}, not a folder`,
      { code: "NOT_A_FOLDER" },
    );
  });
}

async function ensureReadable(system: FileSystem, path: string): Promise<void> {
  const flags = constants.O_RDONLY;
  await using _file = await openRegularFile(system, { action: "search", path, flags });
}

/**
 * Whether a program may look through the files in addition: it reads what the server's user can, by
 * paths whose folders may become links meanwhile.
 */
function mayHelp(
  request: WalkRequest,
  { caller = DEFAULT_CALLER, user }: FolderOptions,
): request is SearchRequest {
  const isSearch = request.action === "search" && !request.isFile;
  return isSearch && user === undefined && !isBounded(caller);
}

/** Most searches have ended by then, such as those that soon find as much as they may. */
const LATE_MS = 200;

/** Starts ripgrep for a search that takes long. */
class LateRipgrep implements Disposable {
  #program: Ripgrep | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(request: SearchRequest) {
    this.#timer = setTimeout(() => this.#program = Ripgrep.start(request), LATE_MS);
  }

  take(): string[] {
    return this.#program?.take() ?? [];
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#program?.[Symbol.dispose]();
  }
}

/** Half of the workers for files: those who read one file do not wait for those who search. */
const searches = new Semaphore({ permits: 8, queue: Infinity });
/** The part of the time after which the answer is what was found until then. */
const ENOUGH = 0.8;
const USUAL_MS = 30_000;

async function walkFrom(
  action: "search" | "list",
  path: string,
  options: FolderOptions,
  toRequest: (system: FileSystem, start: string) => Promise<WalkRequest>,
): Promise<WalkResult> {
  const { timeoutMs = USUAL_MS, signal } = options;
  const start: FileAction = { ...parseFilePath(action, path), user: options.user };
  using _permit = await searches.acquire(signal);
  const until = performance.now() + timeoutMs * ENOUGH;
  try {
    return await withFileSystem(start, options, async (system, path, signal) => {
      const request = await toRequest(system, await system.realpath(path));
      using helper = mayHelp(request, options) ? new LateRipgrep(request) : undefined;
      return await system.walk(request, { signal, until, helper });
    });
  } catch (error) {
    throw toFileError(error, start);
  }
}
