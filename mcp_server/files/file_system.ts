import { constants } from "node:fs";
import { ToolError } from "../shared/error.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import type { FileStats } from "./file_operations.ts";
import type { FileWorker } from "./file_thread.ts";

const PIECE = 1024 * 1024;

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

  /** Reads up to a number of bytes from a position on; none at the end of the file. */
  async read(length: number, position: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#worker.call("read", this.#file, length, position));
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
