import { firstOf, untilAborted, within } from "../../../domain/deadline.ts";
import { ToolError } from "../../../domain/error.ts";
import { type FileAction, quote } from "../file_error.ts";
import { FileSystem } from "./file_system.ts";
import { FileThreads } from "./file_threads.ts";

/** What bounds the work on a file. */
export interface FileBounds {
  /** Stops the work. */
  readonly signal: AbortSignal;
  /** How long the work may take, in milliseconds. @default {30_000} */
  readonly timeoutMs?: number | undefined;
}

/** How long work that is stopped may take to clean up before its call is answered without it. */
const GRACE_MS = 250;
const threads = new FileThreads();

/**
 * Works on a file in a thread, so that a file system that hangs blocks only this call. Rejects when
 * the work is stopped or late, even while an operation hangs: the work then cleans up in the
 * background as soon as it can. Rejects with a `BusyError` while too many operations hang.
 */
export async function withFileSystem<T>(
  file: FileAction,
  { signal, timeoutMs = 30_000 }: FileBounds,
  work: (system: FileSystem, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  using _deadline = firstOf({ signal, timeoutMs }, (expiry) => {
    stop.abort(expiry === "aborted" ? signal.reason : late(file, timeoutMs));
  });
  return await answerOf(inThread(file, stop.signal, work), stop.signal);
}

async function inThread<T>(
  file: FileAction,
  signal: AbortSignal,
  work: (system: FileSystem, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const thread = await threads.acquire(file, signal);
  try {
    return await work(new FileSystem(thread), signal);
  } finally {
    threads.release(thread);
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
      quote(path)
    }: its file system did not finish within ${timeoutMs} ms${unsure}`,
    { code: "FILE_TIMED_OUT" },
  );
}
