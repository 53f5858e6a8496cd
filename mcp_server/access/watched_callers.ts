import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { within } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { Caller } from "./caller.ts";
import { type CallerEntry, CallersFileError, parseCallers, unusable } from "./parse_callers.ts";
import type { Holder, TokenHolders } from "./token.ts";

export { CallersFileError } from "./parse_callers.ts";

/** How a callers file is watched. */
interface WatchOptions {
  readonly log: Log;
  /** How often the file is looked at, in milliseconds. @default {500} */
  readonly everyMs?: number;
  /** Rejects if commands can't run as a user. @default {any name of a user can be used} */
  readonly checkUser?: (name: string) => Promise<unknown>;
}

/**
 * The callers of a file that may change at any time. It is looked at again and again, and not
 * subscribed to: a Kubernetes secret, an editor and a network file system all replace it in ways of
 * their own. A version that can't be used changes nothing, and the log says why.
 */
export class WatchedCallers implements CallerDirectory, Disposable {
  readonly #path: string;
  readonly #log: Log;
  readonly #checkUser: WatchOptions["checkUser"];
  readonly #table = new CallerTable();
  #timer: ReturnType<typeof setInterval> | undefined;
  #stamp: string | undefined;
  /** Why the file can't be used now. */
  #fault: string | undefined;
  #checking: Promise<void> | undefined;

  private constructor(path: string, { log, checkUser }: WatchOptions) {
    this.#path = path;
    this.#log = log;
    this.#checkUser = checkUser;
  }

  /** Reads the file and watches it; rejects with a `CallersFileError` if it can't be used. */
  static async open(path: string, options: WatchOptions): Promise<WatchedCallers> {
    const { everyMs = 500 } = options;
    const callers = new WatchedCallers(path, options);
    await callers.#read();
    callers.#timer = setInterval(() => void callers.check(), everyMs);
    Deno.unrefTimer(Number(callers.#timer));
    return callers;
  }

  findByDigest(digest: Uint8Array): Holder | undefined {
    return this.#table.findByDigest(digest);
  }

  findBySubject(subject: string): Holder | undefined {
    return this.#table.findBySubject(subject);
  }

  findByName(name: string): Holder | undefined {
    return this.#table.findByName(name);
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
      this.#report(error instanceof CallersFileError ? error.reason : messageOf(error));
    }
  }

  async #read(): Promise<void> {
    const { entries, stamp } = await inTime(readCallersFile(this.#path));
    for (const { caller } of entries) await this.#ensureUser(caller);
    const changes = this.#table.replace(entries);
    this.#stamp = stamp;
    const isChanged = Object.values(changes).some((names) => names.length > 0);
    if (isChanged || this.#fault !== undefined) {
      this.#log.info("callers file read", { file: this.#path, ...changes });
    }
    this.#fault = undefined;
  }

  async #ensureUser({ name, rights }: Caller): Promise<void> {
    if (rights?.runAs === undefined) return;
    await this.#checkUser?.(rights.runAs).catch((cause) => {
      throw unusable(`the caller "${name}": ${messageOf(cause)}`);
    });
  }

  /** A fault that lasts is reported once. */
  #report(reason: string): void {
    if (this.#fault === reason) return;
    this.#fault = reason;
    const file = this.#path;
    this.#log.error("the callers file can't be used; its last version counts", { file, reason });
  }
}

/** A version of a callers file. */
interface CallersVersion {
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
 * Differs whenever a file has changed, or another one has taken its place, also behind a link. A file
 * that has just been written has no stamp, because it may change again unnoticed.
 */
export async function stampOf(path: string): Promise<string | undefined> {
  return toStamp(await inTime(look(path)));
}

const look = oncePerPath((path) => stat(path));

/**
 * Reads a callers file. It is opened once, so that what is checked is what is read. Rejects with a
 * `CallersFileError` if it is not a regular file of this user or root that nobody else can access,
 * if it is too large, and for what it contains.
 */
const readCallersFile = oncePerPath(readNow);

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

export type { Holder, TokenHolders } from "./token.ts";

/** The callers of a file: those of the last version that could be read. */
export interface CallerDirectory extends TokenHolders {
  /** The caller with this subject. */
  findBySubject(subject: string): Holder | undefined;
  /** The caller of this name. */
  findByName(name: string): Holder | undefined;
}

/** What changed with a new version of the file: names of callers. */
interface CallerChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Finds callers by their tokens and subjects; the callers can be replaced. */
class CallerTable implements CallerDirectory {
  #members = new Map<string, Member>();
  #digests: readonly { readonly digest: Uint8Array; readonly member: Member }[] = [];
  #subjects: ReadonlyMap<string, Member> = new Map();

  findByDigest(digest: Uint8Array): Holder | undefined {
    let found: Holder | undefined;
    for (const known of this.#digests) {
      if (equalDigests(digest, known.digest)) found = known.member;
    }
    return found;
  }

  findBySubject(subject: string): Holder | undefined {
    return this.#subjects.get(subject);
  }

  findByName(name: string): Holder | undefined {
    return this.#members.get(name);
  }

  /** Replaces the callers; those that stay as they are remain the same objects. */
  replace(entries: readonly CallerEntry[]): CallerChanges {
    const before = this.#members;
    const members = entries.map((entry) => {
      const text = JSON.stringify(entry);
      const old = before.get(entry.caller.name);
      return old?.text === text ? old : new Member(entry, text);
    });
    this.#members = new Map(members.map((member) => [member.caller.name, member]));
    this.#digests = members.flatMap((member) =>
      member.entry.digests.map((hex) => ({ digest: Uint8Array.fromHex(hex), member }))
    );
    this.#subjects = new Map(
      members.flatMap((member) =>
        member.entry.subject === undefined ? [] : [[member.entry.subject, member] as const]
      ),
    );
    const gone = [...before.values()].filter((old) => this.#members.get(old.caller.name) !== old);
    for (const old of gone) old.revoke();
    return this.#changesSince(before);
  }

  #changesSince(before: ReadonlyMap<string, Member>): CallerChanges {
    const names = [...this.#members.keys()];
    return {
      added: names.filter((name) => !before.has(name)),
      changed: names.filter((name) =>
        before.has(name) && before.get(name) !== this.#members.get(name)
      ),
      removed: [...before.keys()].filter((name) => !this.#members.has(name)),
    };
  }
}

class Member implements Holder {
  readonly entry: CallerEntry;
  /** All that the file says about it. */
  readonly text: string;
  readonly #controller = new AbortController();

  constructor(entry: CallerEntry, text: string) {
    this.entry = entry;
    this.text = text;
  }

  get caller(): Caller {
    return this.entry.caller;
  }

  get revoked(): AbortSignal {
    return this.#controller.signal;
  }

  revoke(): void {
    this.#controller.abort(new DOMException("The caller was removed or changed", "AbortError"));
  }
}

/**
 * Whether two digests are equal; takes the same time wherever they differ, as `timingSafeEqual()` of
 * Node does, and a fifth of it, which counts with hundreds of callers.
 */
export function equalDigests(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= (one[at] ?? 0) ^ (other[at] ?? 0);
  return difference === 0;
}
