import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { AccessFileError, unusable } from "./access_file.ts";

/** How a file is watched. */
export interface WatchOptions {
  readonly log: Log;
  /** How often the file is looked at, in milliseconds. @default {500} */
  readonly everyMs?: number;
}

/** What changed with a new version of a file: names. */
export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What a file is, and what becomes of its versions. */
interface FileUse {
  /** What it is, for the log: `callers file`. */
  readonly what: string;
  /**
   * Takes over the text of a version, whole or not at all. Rejects with an `AccessFileError` if it
   * can't be used.
   */
  readonly take: (text: string) => FileChanges | Promise<FileChanges>;
}

/**
 * A file that may change at any time, and that nobody but its owner can access. It is looked at again
 * and again, and not subscribed to: a Kubernetes secret, an editor and a network file system all
 * replace it in ways of their own. A version that can't be used changes nothing, and the log says why.
 */
export class WatchedFile implements Disposable {
  readonly #path: string;
  readonly #use: FileUse;
  readonly #log: Log;
  #timer: ReturnType<typeof setInterval> | undefined;
  #stamp: string | undefined;
  /** Why the file can't be used now. */
  #fault: string | undefined;
  #checking: Promise<void> | undefined;

  private constructor(path: string, use: FileUse, { log }: WatchOptions) {
    this.#path = path;
    this.#use = use;
    this.#log = log;
  }

  /** Reads the file and watches it; rejects with an `AccessFileError` if it can't be used. */
  static async open(path: string, use: FileUse, options: WatchOptions): Promise<WatchedFile> {
    const { everyMs = 500 } = options;
    const file = new WatchedFile(path, use, options);
    await file.#read();
    file.#timer = setInterval(() => void file.check(), everyMs);
    Deno.unrefTimer(Number(file.#timer));
    return file;
  }

  /** Reads the file if it has changed; never rejects. */
  check(): Promise<void> {
    return this.#checking ??= this.#checkNow().finally(() => this.#checking = undefined);
  }

  /** Watches it no longer. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #checkNow(): Promise<void> {
    try {
      const stamp = await stampOf(this.#path);
      if (stamp === undefined || stamp !== this.#stamp) await this.#read();
    } catch (error) {
      this.#report(error instanceof AccessFileError ? error.reason : messageOf(error));
    }
  }

  async #read(): Promise<void> {
    const { text, stamp } = await inTime(readPrivateFile(this.#path));
    const changes = await this.#use.take(text);
    this.#stamp = stamp;
    const isChanged = Object.values(changes).some((names) => names.length > 0);
    if (isChanged || this.#fault !== undefined) {
      this.#log.info(`${this.#use.what} read`, { file: this.#path, ...changes });
    }
    this.#fault = undefined;
  }

  /** A fault that lasts is reported once. */
  #report(reason: string): void {
    if (this.#fault === reason) return;
    this.#fault = reason;
    const message = `the ${this.#use.what} can't be used; its last version counts`;
    this.#log.error(message, { file: this.#path, reason });
  }
}

/** The names that two versions differ in. */
export function changesBetween<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): FileChanges {
  const names = [...after.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    changed: names.filter((name) => before.has(name) && before.get(name) !== after.get(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

/** A version of a file. */
interface FileVersion {
  readonly text: string;
  /** See {@linkcode stampOf}. */
  readonly stamp: string | undefined;
}

/** The largest file, in bytes. */
const MOST_BYTES = 1024 * 1024;
/** How long the file system may take to answer. */
const ANSWER_MS = 5_000;
/** Two versions of a file that are written within this time may look the same from outside. */
const RECENT_MS = 2_000;

/**
 * Differs whenever a file has changed, or another one has taken its place, also behind a link. A file
 * that has just been written has no stamp, because it may change again unnoticed.
 */
export async function stampOf(path: string): Promise<string | undefined> {
  return toStamp(await inTime(look(path)));
}

const look = oncePerPath((path) => stat(path));

/**
 * Reads a file. It is opened once, so that what is checked is what is read. Rejects with an
 * `AccessFileError` if it is not a regular file of this user or root that nobody else can access, or
 * if it is too large.
 */
const readPrivateFile = oncePerPath(readNow);

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
    throw error instanceof AccessFileError ? error : unusable(messageOf(error), error);
  });
  if (await within(described, ANSWER_MS)) return await described;
  throw unusable(`the file system did not answer within ${ANSWER_MS / 1_000} s`);
}

async function readNow(path: string): Promise<FileVersion> {
  // Without O_NONBLOCK, a FIFO would have to be written to first.
  await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await handle.stat();
  ensurePrivate(stats);
  return { text: await readText(handle), stamp: toStamp(stats) };
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
