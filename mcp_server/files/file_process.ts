import { type RunAsUser, toLateSetprivArgs } from "../access/run_as.ts";
import { ToolError } from "../shared/error.ts";
import { workerCommand, WorkerProcess } from "../shared/worker_process.ts";
import {
  type FileOperations,
  type FileReply,
  type FolderOperations,
  type FolderRequest,
  type ProcessRequest,
  resultOf,
} from "./file_operations.ts";
import type { FileWorker } from "./file_thread.ts";
import { FileWorkers } from "./file_workers.ts";

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

  call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>> {
    return this.#ask({ name, args });
  }

  /** The same for operations on its working folder. */
  ask<Name extends keyof FolderOperations>(
    name: Name,
    ...args: Parameters<FolderOperations[Name]>
  ): Promise<ReturnType<FolderOperations[Name]>> {
    return this.#ask({ name, args });
  }

  end(): void {
    this.#process.end();
  }

  async #ask<Result>(request: FolderRequest): Promise<Result> {
    const reply = await this.#process.ask(request, HANGING_MS);
    if (reply !== undefined) return resultOf(reply);
    const who = this.#user === undefined ? "" : ` as the user ${JSON.stringify(this.#user.name)}`;
    throw new ToolError(`Cannot use files${who}: the process for it has ended, try again`, {
      code: "FILE_ERROR",
    });
  }
}

const MODULE = new URL("./file_process_main.ts", import.meta.url);
const RIGHTS = ["--allow-read", "--allow-write", "--allow-sys"];

/**
 * Deno, or the compiled server, starts as the server's user. For another user, who may not be
 * allowed to read the program, it becomes that user before the first operation; it never gets the
 * environment of that user.
 */
function startFileProcess(
  user: RunAsUser | undefined,
): WorkerProcess<ProcessRequest, FileReply> {
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
  const start = () => new FileProcess(user);
  const usual = user === undefined ? OWN : 1;
  const workers = new FileWorkers({ start, usual, idleMs: IDLE_MS });
  processes.set(key, workers);
  return workers;
}
