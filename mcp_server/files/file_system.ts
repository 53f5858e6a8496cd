import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { Worker } from "node:worker_threads";
import { ToolError } from "../shared/error.ts";
import { workingFolder } from "../shared/environment.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import {
  carryOut,
  FILE_OPERATIONS,
  type FileOperations,
  type FileReply,
  type FileRequest,
  type FileStats,
  type OperationResult,
} from "./file_operations.ts";
import type { WalkRequest, WalkResult } from "./walk/walk_task.ts";

/** Most bytes of one write. */
const PIECE = 1024 * 1024;
/** Most and least bytes of one read: a buffer of this size is created for it, and filled with 0. */
const [MOST_BYTES_A_READ, LEAST_BYTES_A_READ] = [256 * 1024, 4 * 1024];

/** Files that a search knows it may pass over, and has not come to; they take some 20 MB. */
const MOST_PASSED = 100_000;

/** Carries out file operations in order, apart from the server's own thread. */
export interface FileWorker {
  /** Whether it can take operations; it can't after a failure of its own. */
  readonly alive: boolean;
  /** Carries out one operation. Rejects with the system's error. */
  call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<OperationResult<FileOperations[Name]>>;
  /** Ends it; it must be idle. */
  end(): void;
}

/** The file system as one call sees it: all of its operations run in the call's worker. */
export class FileSystem {
  readonly #worker: FileWorker;

  constructor(worker: FileWorker) {
    this.#worker = worker;
  }

  /** Opens a file; `flags` are those of open(2). */
  async open(path: string, flags: number, mode?: number): Promise<OpenFile> {
    return new OpenFile(this.#worker, await this.#worker.call("open", path, flags, mode));
  }

  /** What a path leads to, past symbolic links. */
  stat(path: string): Promise<FileStats> {
    return this.#worker.call("stat", path);
  }

  /** The path without symbolic links. */
  realpath(path: string): Promise<string> {
    return this.#worker.call("realpath", path);
  }

  /** The target of a symbolic link. */
  readlink(path: string): Promise<string> {
    return this.#worker.call("readlink", path);
  }

  /** Renames a file, and replaces any file of the new name. */
  rename(from: string, to: string): Promise<void> {
    return this.#worker.call("rename", from, to);
  }

  /** Removes a file. */
  unlink(path: string): Promise<void> {
    return this.#worker.call("unlink", path);
  }

  /** Creates a folder. */
  mkdir(path: string, mode?: number): Promise<void> {
    return this.#worker.call("mkdir", path, mode);
  }

  /** Removes an empty folder. */
  rmdir(path: string): Promise<void> {
    return this.#worker.call("rmdir", path);
  }

  /**
   * Walks through a folder until it is done, or until a time of `performance.now()`, when it returns
   * what it has found by then. Stops between two steps when the signal aborts. A helper names files that
   * a search may pass over.
   */
  async walk(
    request: WalkRequest,
    { signal, until, helper }: {
      readonly signal: AbortSignal;
      readonly until: number;
      readonly helper?: { readonly take: () => readonly string[] } | undefined;
    },
  ): Promise<WalkResult> {
    const walk = await this.beginWalk(request);
    let waiting = 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        if (helper !== undefined) {
          const passed = waiting < MOST_PASSED ? helper.take() : [];
          waiting = await this.#worker.call("passFiles", walk, passed);
        }
        const isLast = performance.now() > until;
        const result = await this.#worker.call("continueWalk", walk, isLast);
        if (result !== null) return result;
      }
    } finally {
      await this.#worker.call("endWalk", walk);
    }
  }

  /** Begins a walk; returns its number. */
  protected beginWalk(request: WalkRequest): Promise<number> {
    return this.#worker.call("beginWalk", request);
  }

  /** Waits until a folder's entries are on disk. */
  async syncFolder(path: string): Promise<void> {
    await using folder = await this.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    await folder.sync();
  }
}

/** An open file. */
export class OpenFile implements AsyncDisposable {
  readonly #worker: FileWorker;
  readonly #file: number;

  constructor(worker: FileWorker, file: number) {
    this.#worker = worker;
    this.#file = file;
  }

  /** What the file is. */
  stat(): Promise<FileStats> {
    return this.#worker.call("statOpen", this.#file);
  }

  /**
   * Reads up to `length` bytes from a position on, fewer at the end of the file. Its size, which may
   * have changed since and is 0 in `/proc`, says how much to expect. Stops between two pieces when the
   * signal aborts.
   */
  async read(
    length: number,
    position: number,
    size: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let total = 0;
    while (total < length) {
      signal?.throwIfAborted();
      const expected = Math.max(size - position - total, LEAST_BYTES_A_READ);
      const most = Math.min(MOST_BYTES_A_READ, expected, length - total);
      const piece = await this.#worker.call("read", this.#file, most, position + total);
      if (piece.byteLength === 0) break;
      pieces.push(new Uint8Array(piece));
      total += piece.byteLength;
    }
    return Buffer.concat(pieces, total);
  }

  /** Writes bytes at a position, and returns how many were written. */
  write(bytes: Uint8Array, position: number): Promise<number> {
    return this.#worker.call("write", this.#file, bytes.slice().buffer, position);
  }

  /** Writes all bytes from a position on; stops between two pieces when the signal aborts. */
  async writeAll(
    bytes: Uint8Array,
    { position, signal }: { position: number; signal?: AbortSignal },
  ): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      signal?.throwIfAborted();
      const piece = bytes.subarray(written, written + PIECE);
      written += await this.write(piece, position + written);
    }
  }

  /** Cuts or extends the file to a size. */
  truncate(size: number): Promise<void> {
    return this.#worker.call("truncate", this.#file, size);
  }

  /** Changes the mode. */
  chmod(mode: number): Promise<void> {
    return this.#worker.call("chmod", this.#file, mode);
  }

  /** Changes owner and group. */
  chown(uid: number, gid: number): Promise<void> {
    return this.#worker.call("chown", this.#file, uid, gid);
  }

  /** Waits until the content is on disk. */
  sync(): Promise<void> {
    return this.#worker.call("sync", this.#file);
  }

  /** Closes the file. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#worker.call("close", this.#file);
  }
}

/**
 * Opens a regular file and nothing else. It never waits: the kind is looked up first, because
 * opening a device may act on it, and again on the open file, because a FIFO may have come between.
 */
export async function openRegularFile(
  system: FileSystem,
  file: FileAction & { readonly flags: number },
): Promise<OpenFile> {
  ensureRegularFile(await system.stat(file.path), file);
  const handle = await system.open(file.path, file.flags | constants.O_NONBLOCK);
  try {
    ensureRegularFile(await handle.stat(), file);
    return handle;
  } catch (error) {
    await handle[Symbol.asyncDispose]();
    throw error;
  }
}

/** Throws a `ToolError` that names the kind of whatever is not a regular file. */
export function ensureRegularFile({ kind }: FileStats, { action, path }: FileAction): void {
  if (kind === "file") return;
  throw new ToolError(
    `Cannot ${action} ${quotePath(path)}: it is ${kind}, not a regular file; use a command for it`,
    { code: "NOT_A_FILE" },
  );
}

const MODULE = new URL("./file_thread_main.ts", import.meta.url);
/** A worker can't start from a remote module, but its own module may import one. */
const START = MODULE.protocol === "file:" ? MODULE : new URL(
  `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(MODULE.href)};`)}`,
);

/**
 * A thread that carries out file operations in order. One that hangs blocks later ones in this
 * thread, and nothing else. An idle thread does not keep the program alive. No thread starts while
 * the working folder is removed: the operations then run where they are called.
 */
export class FileThread implements FileWorker {
  readonly #worker = workingFolder() !== undefined ? new Worker(START) : undefined;
  /** The operations that have not been answered yet, in their order. */
  readonly #asked: PromiseWithResolvers<FileReply>[] = [];
  #alive = true;

  constructor() {
    this.#worker?.unref();
    this.#worker?.on("message", (reply: FileReply) => this.#settle(reply));
    this.#worker?.on("error", (error: Error) => this.#end(error));
  }

  get alive(): boolean {
    return this.#alive;
  }

  async call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<OperationResult<FileOperations[Name]>> {
    const request: FileRequest = { name, args };
    if (this.#worker === undefined) return resultOf(await carryOut(FILE_OPERATIONS, request));
    const asked = Promise.withResolvers<FileReply>();
    this.#asked.push(asked);
    this.#worker.ref();
    this.#worker.postMessage(request, buffersIn(args));
    return resultOf(await asked.promise);
  }

  end(): void {
    void this.#worker?.terminate();
  }

  #settle(reply: FileReply): void {
    this.#asked.shift()?.resolve(reply);
    if (this.#asked.length === 0) this.#worker?.unref();
  }

  #end(error: Error): void {
    this.#alive = false;
    for (const asked of this.#asked.splice(0)) asked.reject(error);
  }
}

/**
 * The result of an operation, which is what the function of its name returns. Throws the system's
 * error.
 */
export function resultOf<Result>(reply: FileReply): Result {
  if (reply.ok) return reply.value as Result;
  const { name, message, code } = reply;
  if (name === "ToolError" && code !== undefined) throw new ToolError(message, { code });
  if (name === "NotCapable") throw new Deno.errors.NotCapable(message);
  if (name === "InvalidData") throw new Deno.errors.InvalidData(message);
  throw Object.assign(new Error(message), { code });
}

/** The buffers among values, which a message is to transfer. */
function buffersIn(values: readonly unknown[]): ArrayBuffer[] {
  return values.filter((value) => value instanceof ArrayBuffer);
}
