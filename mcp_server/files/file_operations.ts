import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { BY_PATH } from "./walk/folder_walk.ts";
import { beginWalk, continueWalk, endWalk, passFiles, type WalkRequest } from "./walk/walk_task.ts";

/** What the file tools need to know about a file. */
export interface FileStats {
  /** `file` for a regular file, or a description of what else it is, for a message. */
  readonly kind: "file" | "a folder" | "a symbolic link" | "a FIFO" | "a socket" | "a device";
  readonly mode: number;
  readonly size: number;
  readonly uid: number;
  readonly gid: number;
  /** How many names it has. */
  readonly nlink: number;
  /** Device and inode: the same for all names of a file. */
  readonly identity: string;
}

/**
 * The system calls of the file tools, synchronous: they run in separate threads. Deno's
 * asynchronous ones are no substitute, because Deno writes and closes on the calling thread. Bytes
 * are passed as buffers, which a message transfers; typed arrays take 100 ms a MiB.
 */
export const FILE_OPERATIONS = Object.freeze({
  open: (path: string, flags: number, mode?: number): number => openSync(path, flags, mode),
  close: (file: number): void => closeSync(file),
  stat: (path: string): FileStats => toFileStats(statSync(path)),
  statOpen: (file: number): FileStats => toFileStats(fstatSync(file)),
  read: (file: number, length: number, position: number): ArrayBuffer => {
    const bytes = new Uint8Array(length);
    return bytes.buffer.slice(0, readSync(file, bytes, 0, length, position));
  },
  write: (file: number, bytes: ArrayBuffer, position: number): number =>
    writeSync(file, new Uint8Array(bytes), 0, bytes.byteLength, position),
  truncate: (file: number, size: number): void => ftruncateSync(file, size),
  chmod: (file: number, mode: number): void => fchmodSync(file, mode),
  chown: (file: number, uid: number, gid: number): void => fchownSync(file, uid, gid),
  sync: (file: number): void => fsyncSync(file),
  realpath: (path: string): string => realpathSync(path),
  readlink: (path: string): string => readlinkSync(path),
  rename: (from: string, to: string): void => renameSync(from, to),
  unlink: (path: string): void => unlinkSync(path),
  mkdir: (path: string, mode?: number): void => mkdirSync(path, mode),
  rmdir: (path: string): void => rmdirSync(path),
  beginWalk: (request: WalkRequest): Promise<number> => beginWalk(request, BY_PATH),
  passFiles,
  continueWalk,
  endWalk,
});

/** The system calls that a thread carries out, by name. */
export type FileOperations = typeof FILE_OPERATIONS;

/** A request to a thread. */
export interface FileRequest {
  readonly name: keyof FileOperations;
  readonly args: readonly unknown[];
}

/** The reply to a request. */
export type FileReply =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    readonly name: string;
    readonly message: string;
    readonly code?: string;
  };

/** Carries out one of the operations. Never rejects. */
export async function carryOut<Name extends string>(
  operations: Readonly<Record<Name, (...args: never[]) => unknown>>,
  { name, args }: { readonly name: Name; readonly args: readonly unknown[] },
): Promise<FileReply> {
  try {
    return { ok: true, value: await Reflect.apply(operations[name], undefined, args) };
  } catch (error) {
    const { name = "Error", message = String(error), code = undefined } = error instanceof Error
      ? { code: undefined, ...error, name: error.name, message: error.message }
      : {};
    return { ok: false, name, message, code: typeof code === "string" ? code : undefined };
  }
}

/** What an operation returns in the end. */
export type OperationResult<Operation extends (...args: never[]) => unknown> = Awaited<
  ReturnType<Operation>
>;

/** What the file tools need to know, from what the system knows. */
export function toFileStats(stats: Stats): FileStats {
  const { mode, size, uid, gid, nlink, dev, ino } = stats;
  return { kind: kindOf(stats), mode, size, uid, gid, nlink, identity: `${dev}:${ino}` };
}

function kindOf(stats: Stats): FileStats["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isFIFO()) return "a FIFO";
  return stats.isSocket() ? "a socket" : "a device";
}
