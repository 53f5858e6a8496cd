import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import { CallersFileError, unusable } from "./callers_json.ts";
import { type CallerEntry, parseCallers } from "./parse_callers.ts";

/** A version of a callers file. */
export interface CallersVersion {
  readonly entries: readonly CallerEntry[];
  /** See {@linkcode stampOf}. */
  readonly stamp: string | undefined;
}

/** The largest callers file, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** How long the file system may take to answer. */
const ANSWER_MS = 5_000;
/** Two versions of a file that are written within this time may look the same from outside. */
const RECENT_MS = 2_000;

/**
 * Reads a callers file. It is opened once, so that what is checked is what is read. Rejects with a
 * `CallersFileError` if it is not a regular file of this user or root that nobody else can access,
 * if it is too large, and for what it contains.
 */
export async function readCallersFile(path: string): Promise<CallersVersion> {
  return await inTime(read(path));
}

/**
 * Differs whenever a file has changed, or another one has taken its place, also behind a link. A file
 * that has just been written has no stamp, because it may change again unnoticed.
 */
export async function stampOf(path: string): Promise<string | undefined> {
  return toStamp(await inTime(look(path)));
}

const look = oncePerPath((path) => stat(path));
const read = oncePerPath(readNow);

/**
 * Begins work on a file only once the last work on it has ended: while a file system hangs, each
 * operation holds one of the few threads that the process has for files.
 */
function oncePerPath<Value>(
  work: (path: string) => Promise<Value>,
): (path: string) => Promise<Value> {
  const running = new Map<string, Promise<Value>>();
  return (path) => {
    const begun = running.get(path) ?? work(path).finally(() => running.delete(path));
    running.set(path, begun);
    return begun;
  };
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const described = work.catch((error) => {
    throw error instanceof CallersFileError ? error : unusable(messageOf(error), error);
  });
  if (await within(described, ANSWER_MS)) return await described;
  throw unusable(`the file system did not answer within ${ANSWER_MS / 1_000} s`);
}

async function readNow(path: string): Promise<CallersVersion> {
  // Without O_NONBLOCK, a FIFO would have to be written to first.
  await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  ensurePrivate(stats);
  return { entries: parseCallers(await readText(handle)), stamp: toStamp(stats) };
}

function ensurePrivate(stats: Stats): void {
  const { mode, uid } = stats;
  if (!stats.isFile()) throw unusable("it is not a regular file");
  if (uid !== 0 && uid !== Deno.uid()) {
    throw unusable(`it belongs to user ${uid}, and not to the user of the server or root`);
  }
  if ((mode & 0o077) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, "0");
    throw unusable(`others can access it, its mode is ${octal}; chmod 600 it`);
  }
}

async function readText(handle: FileHandle): Promise<string> {
  const bytes = new Uint8Array(MOST_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, length));
  }
  if (length > MOST_BYTES) throw unusable(`it has more than ${MOST_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    throw unusable("it is not UTF-8 text");
  }
}

function toStamp({ dev, ino, size, mode, uid, mtimeMs, ctimeMs }: Stats): string | undefined {
  if (Math.abs(Date.now() - ctimeMs) < RECENT_MS) return undefined;
  return [dev, ino, size, mode, uid, mtimeMs, ctimeMs].join(" ");
}
