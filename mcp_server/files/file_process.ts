import { constants } from "node:fs";
import { dirname } from "node:path/posix";
import type { Caller } from "../access/caller.ts";
import { type RunAsUser, toLateSetprivArgs } from "../access/run_as.ts";
import { NotAllowedError, ToolError } from "../shared/error.ts";
import { workerCommand, WorkerProcess } from "../shared/worker_process.ts";
import { type FileAction, quotePath, systemError } from "./file_error.ts";
import { type FileReply, type FileStats, resultOf } from "./file_operations.ts";
import { FileSystem, type FileWorker, type OpenFile } from "./file_system.ts";
import { FileWorkers } from "./file_workers.ts";
import { below, type FolderOperations, type ProcessRequest } from "./folder_operations.ts";

/** How long one operation may take before the process, which its user may have stopped, is killed. */
const HANGING_MS = 120_000;
/** A piece of a file, and as much again for the rest. */
const MOST_REPLY_BYTES = 4 * 1024 * 1024;

/**
 * A process that carries out file operations in order, as another user, to whom the system denies
 * what that user may not read or write, or as the server's own. Its working folder is what a file
 * descriptor of a folder is to openat(2), which Deno lacks. One operation that hangs blocks only
 * this process; an idle one does not keep the program alive.
 */
class FileProcess implements FileWorker {
  readonly #user: RunAsUser | undefined;
  readonly #process: WorkerProcess<ProcessRequest, FileReply>;

  constructor(user?: RunAsUser) {
    this.#user = user;
    this.#process = startFileProcess(user);
    this.#process.send({ become: user?.uid ?? null });
  }

  get alive(): boolean {
    return this.#process.alive;
  }

  /** Its working folder as a path, for as long as it stays there. */
  get folder(): string {
    return `/proc/${this.#process.pid}/cwd`;
  }

  async call<Name extends keyof FolderOperations>(
    name: Name,
    ...args: Parameters<FolderOperations[Name]>
  ): Promise<ReturnType<FolderOperations[Name]>> {
    const reply = await this.#process.ask({ name, args }, HANGING_MS);
    if (reply !== undefined) return resultOf(reply);
    const who = this.#user === undefined ? "" : ` as the user ${JSON.stringify(this.#user.name)}`;
    throw new ToolError(`Cannot use files${who}: the process for it has ended, try again`, {
      code: "FILE_ERROR",
    });
  }

  end(): void {
    this.#process.end();
  }
}

const MODULE = new URL("./file_process_main.ts", import.meta.url);
const RIGHTS = ["--allow-read", "--allow-write", "--allow-sys"];

/**
 * Deno, or the compiled server, starts as the server's user. For another user, who may not be
 * allowed to read the program, it becomes that user before the first operation; it never gets the
 * environment of that user.
 */
function startFileProcess(user?: RunAsUser): WorkerProcess<ProcessRequest, FileReply> {
  const flags = mayReadProc() ? ["-A"] : RIGHTS;
  const command = workerCommand({ module: MODULE, flags });
  const place = { cwd: "/", detached: true };
  const options = { maxReplyBytes: MOST_REPLY_BYTES, unref: true };
  if (user === undefined) return new WorkerProcess(command, place, options);
  return new WorkerProcess(
    [user.setpriv, ...toLateSetprivArgs(user), ...command],
    { ...place, clearEnv: true, env: { ...user.processEnv } },
    options,
  );
}

/** Whether this server runs with all permissions, without which Deno denies `/proc`. */
function mayReadProc(): boolean {
  try {
    Deno.statSync("/proc/self/stat");
    return true;
  } catch {
    return false;
  }
}

/** How long a process is kept that has nothing to do. */
const IDLE_MS = 60_000;
/** Processes of the server's own user that are kept; other users have one each. */
const OWN = 2;
const processes = new Map<string, FileWorkers<FileProcess>>();

/**
 * The processes of a user, or of the server's own; those of an account that has changed do not work
 * for the new one.
 */
export function processesOf(user: RunAsUser | undefined): FileWorkers<FileProcess> {
  const key = user === undefined ? "" : [user.name, user.uid, user.gid, ...user.groups].join(":");
  const known = processes.get(key);
  if (known !== undefined) return known;
  const usual = user === undefined ? OWN : 1;
  const workers = new FileWorkers(() => new FileProcess(user), usual, IDLE_MS);
  processes.set(key, workers);
  return workers;
}

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
    const refusal = () => notAllowed(file, caller);
    const walk = await process.call("walk", file.path, patterns, into);
    if (walk === null) throw refusal();
    return await work(new BoundedFileSystem(process, { ...walk, patterns, refusal }), process);
  } finally {
    // A process that has ended has left its folder as well.
    await process.call("leave").catch(() => {});
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
    return await this.#process.call("lstat", this.#nameOf(path));
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
    const { created, allowed } = await this.#process.call("enterNew", name, this.#bounds.patterns);
    if (!allowed) throw this.#bounds.refusal();
    this.#folder = path;
    if (!created) throw systemError("EEXIST");
  }

  /** Leaves the present folder, and removes it. */
  override async rmdir(path: string): Promise<void> {
    if (path !== this.#folder) throw this.#bounds.refusal();
    this.#folder = dirname(path);
    await this.#process.call("removeAndLeave", path);
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
