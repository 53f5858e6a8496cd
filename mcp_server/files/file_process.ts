import { constants } from "node:fs";
import { dirname } from "node:path/posix";
import { type RunAsUser, toLateSetprivArgs } from "../access/run_as.ts";
import { ToolError } from "../shared/error.ts";
import { workerCommand, WorkerProcess } from "../shared/worker_process.ts";
import { systemError } from "./file_error.ts";
import type { FileReply, FileStats, OperationResult } from "./file_operations.ts";
import { FileSystem, type FileWorker, type OpenFile, resultOf } from "./file_system.ts";
import { below, type FolderOperations, type ProcessRequest } from "./folder_operations.ts";
import type { WalkRequest } from "./walk/walk_task.ts";

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
export class FileProcess implements FileWorker {
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
  ): Promise<OperationResult<FolderOperations[Name]>> {
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
  const flags = [...packageFlags(), ...mayReadProc() ? ["-A"] : RIGHTS];
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

/** Names the package of regular expressions to a process without a configuration; a compiled one has it. */
function packageFlags(): string[] {
  if (Deno.build.standalone) return [];
  // With a literal name, which publishing to JSR replaces by the package and its version.
  const imports = { re2js: import.meta.resolve("re2js") };
  const map = encodeURIComponent(JSON.stringify({ imports }));
  return ["--import-map", `data:application/json,${map}`];
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
export class BoundedFileSystem extends FileSystem {
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

  protected override beginWalk(request: WalkRequest): Promise<number> {
    return this.#process.call("beginBoundedWalk", request, this.#bounds.patterns);
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
