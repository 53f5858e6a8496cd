import { constants } from "node:fs";
import type { Caller } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, parseFilePath, quotePath, toFileError } from "../../files/file_error.ts";
import { type FileSystem, type OpenFile, openRegularFile } from "../../files/file_system.ts";
import { withFileSystem } from "../../files/with_file_system.ts";
import { Semaphore, untilAborted } from "../../shared/concurrency.ts";
import { ToolError } from "../../shared/error.ts";
import { findWriteTarget, writeTarget } from "../files/write_whole_file.ts";
import { PACK_FOLDER, PERMISSIONS } from "./remote_file.ts";

/** Whose rights bound the files of the server's host, and what stops the work on them. */
export interface LocalBounds {
  readonly caller: Caller;
  /** The user as whom they are read and written. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
  readonly signal: AbortSignal;
}

/** Each copy keeps a worker of the file system, of which the other tools need some. */
const workers = new Semaphore({ permits: 8, queue: Infinity });
/** The longest time of a timer: copies have time-outs of their own. */
const NO_LIMIT_MS = 0x7fff_ffff;
const PIECE = 128 * 1024;

/** A regular file of the server's host, open for reading by several copies at once. */
export interface LocalSource {
  /** Its permissions. */
  readonly mode: number;
  /** Its content in order, as fast as it is taken; ends where the file does. */
  pieces(signal: AbortSignal): AsyncGenerator<Uint8Array>;
}

/**
 * Opens a file for as long as it is used. Rejects with a `ToolError` unless it is a regular file of at
 * most so many bytes, and with a `NotAllowedError` if the caller may not use the real path.
 */
export async function openLocalFile<Result>(
  path: string,
  { maxBytes, ...bounds }: LocalBounds & { readonly maxBytes: number },
  use: (source: LocalSource) => Promise<Result>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const work = async (system: FileSystem, path: string) => {
    await using file = await openSource(system, path, maxBytes);
    const { mode, size } = await file.stat();
    const pieces = (signal: AbortSignal) => readPieces(file, size, signal);
    // A file system that hangs keeps the file, and not the answer.
    await use({ mode: mode & PERMISSIONS, pieces }).then(resolve, reject);
  };
  inWorker("read", path, bounds, work).catch(reject);
  return await promise;
}

async function openSource(system: FileSystem, path: string, maxBytes: number): Promise<OpenFile> {
  const refuse = (state: string, code: string) =>
    new ToolError(`Cannot copy ${quotePath(path)}: ${state}`, { code });
  const { kind, size } = await system.stat(path);
  if (kind === "a folder") throw refuse(PACK_FOLDER, "NOT_A_FILE");
  if (size > maxBytes) {
    throw refuse(`it has ${size} bytes, and at most ${maxBytes} are copied`, "TOO_LARGE");
  }
  return await openRegularFile(system, { action: "read", path, flags: constants.O_RDONLY });
}

async function* readPieces(
  file: OpenFile,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = 0;;) {
    const piece = await untilAborted(file.read(PIECE, at, size, signal), signal);
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
    at += piece.length;
  }
}

/** The new content of a file of the server's host. */
export interface LocalContent {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Its permissions. */
  readonly mode: number;
  /** Whether missing folders are made. */
  readonly createParents: boolean;
}

/**
 * Replaces a file, or creates it, as `writeWholeFile()` does. Resolves with its path, made absolute.
 * Rejects with a `ToolError` if it can't be written; nothing of it is left then.
 */
export async function writeLocalFile(
  path: string,
  { pieces, mode, createParents }: LocalContent,
  bounds: LocalBounds,
): Promise<string> {
  return await inWorker("write", path, bounds, async (system, path, signal) => {
    const target = await findWriteTarget(system, path);
    const fill = async (file: OpenFile) => {
      let position = 0;
      for await (const piece of pieces) {
        await file.writeAll(piece, { position, signal });
        position += piece.length;
      }
    };
    await writeTarget(system, target, fill, {
      umask: 0,
      changeMode: () => mode,
      createParents,
      signal,
    });
    return target.path;
  });
}

/** Rejects with a `NotAllowedError` if the caller may not use one of the paths. */
export async function allowTargets(paths: readonly string[], bounds: LocalBounds): Promise<void> {
  if (bounds.caller.rights === undefined) return;
  for (const path of paths) await inWorker("write", path, bounds, () => Promise.resolve());
}

async function inWorker<Result>(
  action: FileAction["action"],
  path: string,
  bounds: LocalBounds,
  work: (system: FileSystem, path: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const file: FileAction = { ...parseFilePath(action, path), user: bounds.user };
  try {
    using _permit = await workers.acquire(bounds.signal);
    return await withFileSystem(file, { ...bounds, timeoutMs: NO_LIMIT_MS }, work);
  } catch (error) {
    throw toFileError(error, file);
  }
}
