import { constants } from "node:fs";
import { dirname } from "node:path/posix";
import type { Caller } from "../access/caller.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { NotAllowedError } from "../shared/error.ts";
import { type FileAction, quotePath, systemError } from "./file_error.ts";
import type { FileStats } from "./file_operations.ts";
import { type FileProcess, processesOf } from "./file_process.ts";
import { FileSystem, type OpenFile } from "./file_system.ts";
import { below } from "./walk_path.ts";

/** The pattern of all paths. */
const EVERYTHING = "/**";

/** Whose rights bound a path, and how it is used. */
export interface BoundedUse {
  readonly caller: Caller;
  /** The user as whom it is used. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
  /** Stops the wait for a process. */
  readonly signal: AbortSignal;
  /** Whether the path is a folder to enter, not a file. @default {false} */
  readonly into?: boolean;
}

/** Whether there are paths that a caller may not use. */
export function isBounded({ rights }: Caller): boolean {
  return rights !== undefined && !rights.paths.includes(EVERYTHING);
}

/**
 * Works on a path in a process that is in its folder. Rejects with a `NotAllowedError` if the caller
 * may not use the real path, whether it exists or not.
 */
export async function inBoundedFolder<T>(
  file: FileAction,
  { caller, user, signal, into = false }: BoundedUse,
  work: (system: BoundedFileSystem, process: FileProcess) => Promise<T>,
): Promise<T> {
  const patterns = caller.rights?.paths ?? [EVERYTHING];
  const processes = processesOf(user);
  const process = await processes.acquire(file, signal);
  try {
    const walk = await process.ask("walk", file.path, { patterns, into });
    if (!walk.allowed) throw notAllowed(file, caller);
    const refusal = () => notAllowed(file, caller);
    return await work(new BoundedFileSystem(process, { ...walk, patterns, refusal }), process);
  } finally {
    // A process that has ended has left its folder as well.
    await process.ask("leave").catch(() => {});
    processes.release(process);
  }
}

/** Where a file system is bounded to. */
interface Bounds {
  /** The real path of the folder that the process is in. */
  readonly folder: string;
  /** The names that lead on to the target. */
  readonly names: readonly string[];
  /** The patterns of the real paths that may be reached. */
  readonly patterns: readonly string[];
  /** The refusal of any path but the target and the folders above it. */
  readonly refusal: () => Error;
}

/**
 * The file system around one target, which a call may use. All operations are on names in the working
 * folder of a process, and none follows a link: a path that changes after the check leads nowhere
 * else.
 */
class BoundedFileSystem extends FileSystem {
  readonly #process: FileProcess;
  readonly #bounds: Bounds;
  #folder: string;

  constructor(process: FileProcess, bounds: Bounds) {
    super(process);
    this.#process = process;
    this.#bounds = bounds;
    this.#folder = bounds.folder;
  }

  /** The real path of the target. */
  get target(): string {
    return this.#bounds.names.reduce(below, this.#bounds.folder);
  }

  override open(path: string, flags: number, mode?: number): Promise<OpenFile> {
    return super.open(this.#nameOf(path), flags | constants.O_NOFOLLOW, mode);
  }

  override async stat(path: string): Promise<FileStats> {
    return await this.#process.ask("lstat", this.#nameOf(path));
  }

  /** Paths have no links here. */
  override realpath(path: string): Promise<string> {
    return Promise.resolve(path);
  }

  override readlink(path: string): Promise<string> {
    return super.readlink(this.#nameOf(path));
  }

  override rename(from: string, to: string): Promise<void> {
    return super.rename(this.#nameOf(from), this.#nameOf(to));
  }

  override unlink(path: string): Promise<void> {
    return super.unlink(this.#nameOf(path));
  }

  /** Creates a folder in the present one, and enters it. */
  override async mkdir(path: string): Promise<void> {
    const [, name = ""] = this.#nameOf(path).split("/");
    const { created, allowed } = await this.#process.ask("enterNew", name, this.#bounds.patterns);
    if (!allowed) throw this.#bounds.refusal();
    this.#folder = path;
    if (!created) throw systemError("EEXIST");
  }

  /** Leaves the present folder, and removes it. */
  override async rmdir(path: string): Promise<void> {
    if (path !== this.#folder) throw this.#bounds.refusal();
    this.#folder = dirname(path);
    await this.#process.ask("removeAndLeave", path);
  }

  /** What a path is called in the working folder; one below a missing folder is missing too. */
  #nameOf(path: string): string {
    if (path === this.#folder) return ".";
    if (dirname(path) === this.#folder) return `./${path.slice(path.lastIndexOf("/") + 1)}`;
    if (path === dirname(this.#folder)) return "..";
    if (path.startsWith(below(this.#folder, ""))) throw systemError("ENOENT");
    throw this.#bounds.refusal();
  }
}

function notAllowed({ action, path }: FileAction, { name, rights }: Caller): NotAllowedError {
  const rule = rights?.paths.join(", ") || "none";
  return new NotAllowedError(
    `Cannot ${action} ${
      quotePath(path)
    }: it is not among the paths of the caller "${name}" (${rule})`,
  );
}
