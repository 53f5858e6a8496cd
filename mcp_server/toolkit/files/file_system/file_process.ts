import { ToolError } from "../../../domain/error.ts";
import { type RunAsUser, toLateSetprivArgs } from "../../../domain/run_as.ts";
import { type BecomeRequest, encodeFrame, FILE_PROCESS_FLAG, readFrames } from "./file_frames.ts";
import type { FileOperations, FileReply, FileRequest } from "./file_operations.ts";
import { type FileWorker, PendingOperations } from "./file_worker.ts";

/** How long one operation may take before the process, which its user may have stopped, is killed. */
const HANGING_MS = 120_000;

/**
 * A process of another user that carries out file operations in order: what that user may not read
 * or write, the system denies. One operation that hangs blocks only this process.
 */
export class FileProcess implements FileWorker {
  readonly #user: RunAsUser;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pending = new PendingOperations();
  #alive = true;

  /** Starts the process. */
  constructor(user: RunAsUser) {
    this.#user = user;
    this.#child = startFileProcess(user);
    this.#writer = this.#child.stdin.getWriter();
    this.#send({ become: user.uid });
    void this.#settleAll();
  }

  get alive(): boolean {
    return this.#alive;
  }

  async call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>> {
    const result = this.#pending.add(name);
    const timer = setTimeout(() => this.#kill(), HANGING_MS);
    this.#send({ name, args });
    if (!this.#alive) this.#pending.fail(this.#ended());
    return await result.finally(() => clearTimeout(timer));
  }

  /** The process ends with its input. */
  end(): void {
    this.#alive = false;
    this.#writer.close().catch(() => {});
  }

  /** If the process has ended, the end of its output says so. */
  #send(message: BecomeRequest | FileRequest): void {
    this.#writer.write(encodeFrame(message)).catch(() => {});
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
    const name = JSON.stringify(this.#user.name);
    return new ToolError(`Cannot use files as the user ${name}: its process has ended, try again`, {
      code: "FILE_ERROR",
    });
  }
}

const PROGRAM = new URL("./file_process_main.ts", import.meta.url);
const FLAGS = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only"];
const RIGHTS = ["--allow-read", "--allow-write", "--allow-sys"];

/**
 * Deno, or the compiled server, starts as root, because the user may not be allowed to read them,
 * and becomes the user before the first operation; it never gets the user's environment.
 */
function startFileProcess(user: RunAsUser): Deno.ChildProcess {
  const program = Deno.build.standalone
    ? [Deno.execPath(), FILE_PROCESS_FLAG]
    : [Deno.execPath(), "run", ...FLAGS, ...(mayReadProc() ? ["-A"] : RIGHTS), PROGRAM.href];
  return new Deno.Command(user.setpriv, {
    args: [...toLateSetprivArgs(user), ...program],
    clearEnv: true,
    env: { ...user.processEnv },
    cwd: "/",
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
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
