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
 * Works on a file in a thread, so that a file system that hangs holds up this call alone. Rejects
 * when the work is stopped or late, even while an operation hangs: the work then cleans up in the
 * background as soon as it can. Rejects with a `BusyError` while too many operations hang.
 */
export async function withFileSystem<T>(
  file: FileAction,
  { signal, timeoutMs = 30_000 }: FileBounds,
  work: (system: FileSystem, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  const timer = setTimeout(() => stop.abort(late(file, timeoutMs)), timeoutMs);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  try {
    return await answerOf(inThread(file, stop.signal, work), stop.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
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

/** The outcome of the work, or the signal's reason where the work does not heed the signal. */
async function answerOf<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => void (timer = setTimeout(() => reject(signal.reason), GRACE_MS));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
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
