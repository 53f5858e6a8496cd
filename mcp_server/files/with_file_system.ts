import { type Caller, DEFAULT_CALLER } from "../access/caller.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { firstOf, untilAborted, within } from "../shared/deadline.ts";
import { ToolError } from "../shared/error.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import { inBoundedFolder, isBounded, processesOf } from "./file_process.ts";
import { FileThread, type FileWork, FileWorkers, inWorker } from "./file_workers.ts";

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
const threads = new FileWorkers(() => new FileThread(), 4);

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
