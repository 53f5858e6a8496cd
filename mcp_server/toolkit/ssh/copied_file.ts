import { constants } from "node:fs";
import type { Caller } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, quotePath, toFileError } from "../../files/file_error.ts";
import { type FileSystem, type OpenFile, openRegularFile } from "../../files/file_system.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { untilAborted } from "../../shared/concurrency.ts";
import { Semaphore } from "../../shared/semaphore.ts";
import { ToolError } from "../../shared/error.ts";
import { findWriteTarget, writeTarget } from "../files/write_whole_file.ts";
import { dirname } from "node:path/posix";
import {
  type RemoteAction,
  remoteError,
  type Sftp,
  SFTP_OPEN,
  SFTP_STATUS,
  SftpError,
  type SftpFile,
} from "./sftp.ts";
import type { SftpAttributes } from "./ssh2.ts";

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

/** Of how many requests for pieces of a remote file the answers may be missing. */
const AHEAD = 16;
/** The type of a file in its mode (POSIX, sys/stat.h). */
const [TYPE, REGULAR, FOLDER] = [0o170000, 0o100000, 0o040000];
/** The bits of a mode that a copy keeps: no right to run as the owner comes from another host. */
export const PERMISSIONS = 0o777;
const NAMES_FOLDER = /(^|\/)(\.{0,2}|~)$/;

/** The text for a folder, which is not copied. */
export const PACK_FOLDER =
  "it is a folder; pack it with tar, by ssh-exec or exec-command, and copy " +
  "the archive";

/** The path as SFTP knows it, where relative ones start at the home folder. Throws if no file has it. */
function toSftpPath(file: RemoteAction): string {
  if (file.path.includes("\0")) throw remoteError("a path can't hold a NUL character", file);
  if (!file.path.isWellFormed()) throw remoteError("it holds half of a surrogate pair", file);
  if (!NAMES_FOLDER.test(file.path)) return file.path.replace(/^~\/+/, "");
  throw remoteError("the path names a folder; add the name of a file", file);
}

/** A regular file of a host, open for reading. */
interface RemoteSource {
  readonly size: number;
  /** Its permissions. */
  readonly mode: number;
  /** Its content in order, as fast as it is taken; ends where the file does. */
  pieces(): AsyncGenerator<Uint8Array>;
}

/** Opens a file of a host. Rejects with an `SshError` unless it is a regular file. */
export async function openRemoteFile(sftp: Sftp, source: RemoteAction): Promise<RemoteSource> {
  const path = toSftpPath(source);
  // Opening a FIFO would wait for whoever writes to it.
  ensureRegular(await sftp.stat(path), source);
  const file = await sftp.open(path, SFTP_OPEN.READ);
  const attributes = await file.stat();
  ensureRegular(attributes, source);
  const { size, mode } = attributes;
  return { size, mode: mode & PERMISSIONS, pieces: () => readWhole(file, size, source) };
}

function ensureRegular({ mode }: SftpAttributes, file: RemoteAction): void {
  const type = mode & TYPE;
  if (type === REGULAR) return;
  throw remoteError(type === FOLDER ? PACK_FOLDER : "it is not a regular file", file);
}

/** Reads a file to its end, where it must have as many bytes as it was said to have, or more. */
async function* readWhole(
  file: SftpFile,
  size: number,
  source: RemoteAction,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of readRemotePieces(file, size)) {
    read += piece.length;
    yield piece;
  }
  if (read < size) throw remoteError(`it ended after ${read} of ${size} bytes`, source);
}

async function* readRemotePieces(file: SftpFile, size: number): AsyncGenerator<Uint8Array> {
  const ahead: Promise<Uint8Array>[] = [];
  for (let at = 0;;) {
    while (ahead.length === 0 || (ahead.length < AHEAD && at < size)) {
      const reading = file.read(PIECE, at);
      // A piece that nobody waits for any more may fail.
      reading.catch(() => {});
      ahead.push(reading);
      at += PIECE;
    }
    const piece = await ahead.shift() ?? new Uint8Array();
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
  }
}

/** The new content of a file of a host. */
interface RemoteContent {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Its permissions. */
  readonly mode: number;
  /** Called with the path of the temporary file before the host can have created it. */
  readonly onTemporary: (path: string) => void;
}

/**
 * Replaces a file of a host, or creates it: the target is always the old or the new content. Its owner
 * stays. Resolves with its real path. If it fails, the temporary file beside it has to be removed.
 */
export async function writeRemoteFile(
  sftp: Sftp,
  target: RemoteAction,
  { pieces, mode, onTemporary }: RemoteContent,
): Promise<string> {
  const { path, existing } = await findTarget(sftp, target);
  const temporary = `${dirname(path).replace(/\/$/, "")}/.copy-${crypto.randomUUID()}.tmp`;
  const flags = SFTP_OPEN.WRITE | SFTP_OPEN.CREATE | SFTP_OPEN.EXCLUSIVE;
  onTemporary(temporary);
  const file = await sftp.open(temporary, flags);
  if (existing !== undefined) await keepOwner(file, existing, target);
  await writePieces(file, pieces);
  await file.chmod(mode);
  await file.sync();
  await file.close();
  await sftp.rename(temporary, path);
  return path;
}

async function writePieces(file: SftpFile, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const ahead: Promise<void>[] = [];
  let at = 0;
  for await (const piece of pieces) {
    const writing = file.write(piece, at);
    writing.catch(() => {});
    ahead.push(writing);
    at += piece.length;
    if (ahead.length >= AHEAD) await ahead.shift();
  }
  await Promise.all(ahead);
}

/** The file that writing to a path is about, past links, and whether it is there. */
async function findTarget(
  sftp: Sftp,
  target: RemoteAction,
): Promise<{ readonly path: string; readonly existing?: SftpAttributes }> {
  const path = await sftp.realpath(toSftpPath(target));
  // SFTP 3 has bytes, and they were decoded.
  if (path.includes("\ufffd") && !target.path.includes("\ufffd")) {
    throw remoteError("its real path is not UTF-8", target);
  }
  const existing = await sftp.stat(path).catch((error) => {
    if (error instanceof SftpError && error.status === SFTP_STATUS.NO_SUCH_FILE) return undefined;
    throw error;
  });
  if (existing === undefined) return { path };
  if ((existing.mode & TYPE) !== REGULAR) {
    const isFolder = (existing.mode & TYPE) === FOLDER;
    const state = isFolder ? "it is a folder; add the name of a file" : "it is not a regular file";
    throw remoteError(state, target);
  }
  await ensureWritable(sftp, path);
  return { path, existing };
}

/** A rename would replace a file that its own permissions protect, so they are checked first. */
async function ensureWritable(sftp: Sftp, path: string): Promise<void> {
  try {
    await (await sftp.open(path, SFTP_OPEN.WRITE)).close();
  } catch (error) {
    // A program that runs can't be opened, and may be replaced.
    if (!(error instanceof SftpError && error.status === SFTP_STATUS.FAILURE)) throw error;
  }
}

async function keepOwner(
  file: SftpFile,
  { uid, gid }: SftpAttributes,
  target: RemoteAction,
): Promise<void> {
  const now = await file.stat();
  if (now.uid === uid && now.gid === gid) return;
  try {
    await file.chown(uid, gid);
  } catch (error) {
    if (!(error instanceof SftpError) || error.status === undefined) throw error;
    throw remoteError(`the user can't keep its owner ${uid} and group ${gid}`, target);
  }
}
