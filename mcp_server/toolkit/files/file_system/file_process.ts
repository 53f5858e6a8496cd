import { ToolError } from "../../../shared/error.ts";
import { type RunAsUser, toLateSetprivArgs } from "../../../access/run_as.ts";
import type { FolderOperations } from "../bounded/folder_operations.ts";
import {
  type BecomeRequest,
  encodeFrame,
  FILE_PROCESS_FLAG,
  type ProcessRequest,
  readFrames,
} from "./file_frames.ts";
import type { FileOperations, FileReply } from "./file_operations.ts";
import { type FileWorker, PendingOperations } from "./file_worker.ts";

/** How long one operation may take before the process, which its user may have stopped, is killed. */
const HANGING_MS = 120_000;

/**
 * A process that carries out file operations in order, as another user, to whom the system denies
 * what that user may not read or write, or as the server's own. Its working folder is what a file
 * descriptor of a folder is to openat(2), which Deno lacks. One operation that hangs blocks only
 * this process; an idle one does not keep the program alive.
 */
export class FileProcess implements FileWorker {
  readonly #user: RunAsUser | undefined;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pending = new PendingOperations();
  #alive = true;

  /** Starts the process. */
  constructor(user?: RunAsUser) {
    this.#user = user;
    this.#child = startFileProcess(user);
    this.#child.unref();
    this.#writer = this.#child.stdin.getWriter();
    this.#send({ become: user?.uid ?? null });
    void this.#settleAll();
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Its working folder as a path, for as long as it stays there. */
  get folder(): string {
    return `/proc/${this.#child.pid}/cwd`;
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

  /** The process ends with its input. */
  end(): void {
    this.#alive = false;
    this.#writer.close().catch(() => {});
  }

  /** If the process has ended, the end of its output says so. */
  #send(message: BecomeRequest | ProcessRequest): void {
    this.#writer.write(encodeFrame(message)).catch(() => {});
  }

  async #ask<Result>(request: ProcessRequest): Promise<Result> {
    const result = this.#pending.add<Result>();
    const timer = setTimeout(() => this.#kill(), HANGING_MS);
    this.#child.ref();
    this.#send(request);
    if (!this.#alive) this.#pending.fail(this.#ended());
    return await result.finally(() => {
      clearTimeout(timer);
      if (this.#pending.size === 0) this.#child.unref();
    });
  }

  async #settleAll(): Promise<void> {
    try {
      const replies = readFrames<FileReply>(this.#child.stdout);
      for await (const reply of replies) this.#pending.settle(reply);
    } catch {
      this.#kill();
    }
    this.#alive = false;
    this.#pending.fail(this.#ended());
    this.#writer.abort().catch(() => {});
    await this.#child.status;
  }

  #kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }

  #ended(): ToolError {
    const who = this.#user === undefined ? "" : ` as the user ${JSON.stringify(this.#user.name)}`;
    return new ToolError(`Cannot use files${who}: the process for it has ended, try again`, {
      code: "FILE_ERROR",
    });
  }
}

const PROGRAM = new URL("./file_process_main.ts", import.meta.url);
const FLAGS = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only"];
const RIGHTS = ["--allow-read", "--allow-write", "--allow-sys"];

/**
 * Deno, or the compiled server, starts as the server's user. For another user, who may not be
 * allowed to read the program, it becomes that user before the first operation; it never gets the
 * environment of that user.
 */
function startFileProcess(user: RunAsUser | undefined): Deno.ChildProcess {
  const args = Deno.build.standalone
    ? [FILE_PROCESS_FLAG]
    : ["run", ...FLAGS, ...(mayReadProc() ? ["-A"] : RIGHTS), PROGRAM.href];
  const options = {
    cwd: "/",
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  } as const;
  if (user === undefined) return new Deno.Command(Deno.execPath(), { args, ...options }).spawn();
  return new Deno.Command(user.setpriv, {
    args: [...toLateSetprivArgs(user), Deno.execPath(), ...args],
    clearEnv: true,
    env: { ...user.processEnv },
    ...options,
  }).spawn();
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
