import { type Caller, DEFAULT_CALLER } from "../access/caller.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { firstOf, untilAborted, within } from "../shared/deadline.ts";
import { ToolError } from "../shared/error.ts";
import { inBoundedFolder, isBounded } from "./bounded_file_system.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import { processesOf } from "./file_process.ts";
import { FileSystem } from "./file_system.ts";
import { FileThread, type FileWorker } from "./file_thread.ts";
import { FileWorkers } from "./file_workers.ts";

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

/** How long work that is stopped may take to clean up before its call is answered without it. */
const GRACE_MS = 250;
const threads = new FileWorkers({ start: () => new FileThread(), usual: 4 });

/** What work is done on. */
interface FileTarget {
  /** The file; its real path if the paths of the caller are bounded. */
  readonly path: string;
  /** Stops the work. */
  readonly signal: AbortSignal;
}

/** Work on a file. */
type FileWork<T> = (system: FileSystem, target: FileTarget) => Promise<T>;

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
      return inBoundedFolder(file, use, (system) => work(system, { path: system.target, signal }));
    }
    if (user === undefined) return inWorker(threads, { ...file, signal }, work);
    return inWorker(processesOf(user), { ...file, signal }, work);
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
  return await answerOf(work(stop.signal), stop.signal);
}

/**
 * Works on a file in a worker of a pool, which gets it back when the work ends. Rejects with the
 * signal's reason while it waits for a worker, and with a `BusyError` if all of them hang.
 */
export async function inWorker<T, Worker extends FileWorker>(
  workers: FileWorkers<Worker>,
  { signal, ...file }: FileAction & { readonly signal: AbortSignal },
  work: FileWork<T>,
): Promise<T> {
  const worker = await workers.acquire(file, signal);
  try {
    return await work(new FileSystem(worker), { path: file.path, signal });
  } finally {
    workers.release(worker);
  }
}

/** The outcome of the work, or the signal's reason if the work does not heed the signal. */
async function answerOf<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    if (await within(work, GRACE_MS)) return await work;
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
