import { dirname } from "node:path/posix";
import { ALL_PATHS, type Caller, DEFAULT_CALLER, isBounded } from "../access/caller.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { firstOf, KeyedPool, untilAborted, within } from "../shared/concurrency.ts";
import { workingFolder } from "../shared/environment.ts";
import { BusyError, NotAllowedError, ToolError } from "../shared/error.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import { BoundedFileSystem, FileProcess } from "./file_process.ts";
import { FileSystem, FileThread, type FileWorker } from "./file_system.ts";

const LEADING_DOTS = /^(\.\.?)(?:\/+|$)/;

/**
 * Makes a path absolute: a relative one starts at the server's working folder, whose path has no
 * links, so that a leading `..` is the folder above it. Nothing else changes, because `link/..` is
 * not the folder that contains the link. Throws a `ToolError` if no file can have the path.
 */
export function parseFilePath(
  action: FileAction["action"],
  path: string,
): Pick<FileAction, "action" | "path"> {
  const refuse = (state: string, code = "INVALID_PATH") =>
    new ToolError(`Cannot ${action} ${quotePath(path)}: ${state}`, { code });
  if (path === "") throw refuse("the path is empty");
  if (path.includes("\0")) throw refuse("a path can't hold a NUL character");
  if (!path.isWellFormed()) throw refuse("the path holds half of a surrogate pair");
  if (path.startsWith("/")) return { action, path };
  const folder = workingFolder();
  if (folder !== undefined) return { action, path: joinLeadingDots(folder, path) };
  throw refuse("the server's working folder was removed; use an absolute path", "NO_FOLDER");
}

function joinLeadingDots(folder: string, path: string): string {
  let [at, rest] = [folder, path];
  for (let dots = LEADING_DOTS.exec(rest); dots !== null; dots = LEADING_DOTS.exec(rest)) {
    if (dots[1] === "..") at = dirname(at);
    rest = rest.slice(dots[0].length);
  }
  return `${at.replace(/\/$/, "")}/${rest}`;
}

/** What bounds the work on a file. */
interface FileBounds {
  /** Whose rights bound the paths: `extra.caller`. @default {a caller that may do everything} */
  readonly caller?: Caller | undefined;
  /** Stops the work. */
  readonly signal: AbortSignal;
  /** How long the work may take, in milliseconds. @default {30_000} */
  readonly timeoutMs?: number | undefined;
  /** The user as whom the work is done, in a process of that user. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/** Work on a file; its path is the real one if the paths of the caller are bounded. */
type FileWork<T> = (system: FileSystem, path: string, signal: AbortSignal) => Promise<T>;

/** How long work that is stopped may take to clean up before its call is answered without it. */
const GRACE_MS = 250;

/**
 * Works on a file in a thread, or in a process of another user, so that a file system that hangs
 * blocks only this call; for a caller whose paths are bounded in a process that is in the folder of
 * the file. Rejects when the work is stopped or late, even while an operation hangs: the work then
 * cleans up in the background as soon as it can. Rejects with a `BusyError` while too many operations
 * hang, and with a `NotAllowedError` if the caller may not use the file.
 */
export async function withFileSystem<T>(
  file: FileAction,
  { caller = DEFAULT_CALLER, user, ...bounds }: FileBounds,
  work: FileWork<T>,
): Promise<T> {
  return await inTime(file, bounds, (signal) => {
    if (isBounded(caller)) {
      const use = { caller, user, signal };
      return inBoundedFolder(file, use, (system) => work(system, system.target, signal));
    }
    if (user === undefined) return inWorker(threads, file, signal, work);
    return inWorker(processesOf(user), file, signal, work);
  });
}

/**
 * Waits for work on a file system until it is stopped or late, even while an operation hangs; work
 * that heeds the signal has some time to clean up.
 */
export async function inTime<T>(
  file: FileAction,
  { signal, timeoutMs = 30_000 }: Pick<FileBounds, "signal" | "timeoutMs">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  using _deadline = firstOf({ signal, timeoutMs }, (expiry) => {
    stop.abort(expiry === "aborted" ? signal.reason : late(file, timeoutMs));
  });
  const working = work(stop.signal);
  try {
    return await untilAborted(working, stop.signal);
  } catch (error) {
    if (await within(working, GRACE_MS)) return await working;
    throw error;
  }
}

function late({ action, path }: FileAction, timeoutMs: number): ToolError {
  const unsure = action === "write" ? "; read it before you write it again" : "";
  return new ToolError(
    `Cannot ${action} ${
      quotePath(path)
    }: its file system did not finish within ${timeoutMs} ms${unsure}`,
    { code: "FILE_TIMED_OUT" },
  );
}

/**
 * Works on a file in a worker of a pool, which gets it back when the work ends. Rejects with the
 * signal's reason while it waits for a worker, and with a `BusyError` if all of them hang.
 */
export async function inWorker<T, Worker extends FileWorker>(
  workers: FileWorkers<Worker>,
  file: FileAction,
  signal: AbortSignal,
  work: FileWork<T>,
): Promise<T> {
  const worker = await workers.acquire(file, signal);
  try {
    return await work(new FileSystem(worker), file.path, signal);
  } finally {
    workers.release(worker);
  }
}

/** Whose rights bound a path, and how it is used. */
export interface BoundedUse {
  readonly caller: Caller;
  /** The user as whom it is used. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
  /** Stops the wait for a process. */
  readonly signal: AbortSignal;
  /** Whether the path is a folder to enter, not a file. @default {false} */
  readonly into?: boolean;
}

/**
 * Works on a path in a process that is in its folder. Rejects with a `NotAllowedError` if the caller
 * may not use the real path, whether it exists or not.
 */
export async function inBoundedFolder<T>(
  file: FileAction,
  { caller, user, signal, into = false }: BoundedUse,
  work: (system: BoundedFileSystem, process: FileProcess) => Promise<T>,
): Promise<T> {
  const patterns = caller.rights?.paths ?? [ALL_PATHS];
  const processes = processesOf(user);
  const process = await processes.acquire(file, signal);
  try {
    const refusal = () => notAllowed(file, caller);
    const walk = await process.call("walk", file.path, patterns, into);
    if (walk === null) throw refusal();
    return await work(new BoundedFileSystem(process, { ...walk, patterns, refusal }), process);
  } finally {
    // A process that has ended has left its folder as well.
    await process.call("leave").catch(() => {});
    processes.release(process);
  }
}

function notAllowed({ action, path }: FileAction, { name, rights }: Caller): NotAllowedError {
  const rule = rights?.paths.join(", ") || "none";
  return new NotAllowedError(
    `Cannot ${action} ${
      quotePath(path)
    }: it is not among the paths of the caller "${name}" (${rule})`,
  );
}

/** Workers at most: those beyond the usual ones stand in for workers whose file system hangs. */
const MOST = 16;
/** How long a call waits for one of the usual workers before a further one is started for it. */
const PATIENCE_MS = 100;
/** After this time without the end of any call, all workers count as hanging. */
const HANGING_MS = 5_000;
const RETRY_SECONDS = 5;
/** All workers of a pool can be exchanged for each other. */
const IDLE = "";

/** The threads, or the processes of one user, for the file tools; each call has its own. */
export class FileWorkers<Worker extends FileWorker> {
  readonly #startOne: () => Worker;
  readonly #usual: number;
  readonly #idleMs: number | undefined;
  readonly #idle = new KeyedPool<Worker>((worker) => this.#end(worker));
  readonly #waiting: ((worker: Worker) => void)[] = [];
  #count = 0;
  #lastEnd = 0;

  /** Starts as many as `usual` on demand, and keeps each for a time, or for good without one. */
  constructor(start: () => Worker, usual: number, idleMs?: number) {
    this.#startOne = start;
    this.#usual = usual;
    this.#idleMs = idleMs;
  }

  /**
   * Assigns a worker to a call; return it with `release()`. Rejects with a `BusyError` while every
   * worker hangs, with the signal's reason when the call is stopped meanwhile, and with an error of
   * the system if no worker can be started.
   */
  async acquire(file: FileAction, signal: AbortSignal): Promise<Worker> {
    signal.throwIfAborted();
    const idle = this.#idle.take(IDLE);
    if (idle?.alive) return idle;
    if (idle !== undefined) this.#count--;
    return this.#count < this.#usual ? this.#start() : await this.#wait(file, signal);
  }

  /** Takes back a worker whose operations have all ended. */
  release(worker: Worker): void {
    this.#lastEnd = performance.now();
    // Whoever waits starts another one.
    if (!worker.alive) return void this.#count--;
    const next = this.#waiting.shift();
    if (next !== undefined) return next(worker);
    if (this.#count > this.#usual) return this.#end(worker);
    this.#idle.give(IDLE, worker, this.#idleMs);
  }

  #end(worker: Worker): void {
    this.#count--;
    worker.end();
  }

  #start(): Worker {
    const worker = this.#startOne();
    this.#count++;
    this.#lastEnd = performance.now();
    return worker;
  }

  #wait(file: FileAction, signal: AbortSignal): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    const settle = () => {
      clearInterval(timer);
      aborted[Symbol.dispose]();
      const at = this.#waiting.indexOf(onWorker);
      if (at !== -1) this.#waiting.splice(at, 1);
    };
    const onWorker = (worker: Worker) => {
      settle();
      resolve(worker);
    };
    const fail = (error: unknown) => {
      settle();
      reject(error);
    };
    let lookedAt = performance.now();
    const look = () => {
      const sinceMs = performance.now() - lookedAt;
      lookedAt += sinceMs;
      // After a pause of this thread, timers come before the answers of workers that have ended.
      if (sinceMs >= 2 * PATIENCE_MS) return;
      try {
        if (this.#count < MOST) return onWorker(this.#start());
      } catch (error) {
        return fail(error);
      }
      if (performance.now() - this.#lastEnd >= HANGING_MS) fail(allHang(file));
    };
    const timer = setInterval(look, PATIENCE_MS);
    const aborted = firstOf({ signal }, () => fail(signal.reason));
    this.#waiting.push(onWorker);
    return promise;
  }
}

function allHang({ action, path }: FileAction): BusyError {
  return new BusyError(
    `Cannot ${action} ${
      quotePath(path)
    }: ${MOST} operations wait for file systems that don't answer; ` +
      "look at the mounts of the server's host, and try again",
    RETRY_SECONDS,
  );
}

/** Those of the server itself. */
const threads = new FileWorkers(() => new FileThread(), 4);
/** How long a process is kept that has nothing to do. */
const IDLE_MS = 60_000;
/** Processes of the server's own user that are kept; other users have one each. */
const OWN = 2;
const processes = new Map<string, FileWorkers<FileProcess>>();

/**
 * The processes of a user, or of the server's own; those of an account that has changed do not work
 * for the new one.
 */
function processesOf(user: RunAsUser | undefined): FileWorkers<FileProcess> {
  const key = user === undefined ? "" : [user.name, user.uid, user.gid, ...user.groups].join(":");
  const known = processes.get(key);
  if (known !== undefined) return known;
  const usual = user === undefined ? OWN : 1;
  const workers = new FileWorkers(() => new FileProcess(user), usual, IDLE_MS);
  processes.set(key, workers);
  return workers;
}
