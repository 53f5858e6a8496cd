import { firstOf, untilAborted, within } from "../../../domain/deadline.ts";
import { ToolError } from "../../../domain/error.ts";
import type { RunAsUser } from "../../../domain/run_as.ts";
import { type FileAction, quote } from "../file_error.ts";
import { FileSystem } from "./file_system.ts";
import { FileProcess } from "./file_process.ts";
import { FileThread } from "./file_thread.ts";
import { FileWorkers } from "./file_workers.ts";

/** What bounds the work on a file. */
export interface FileBounds {
  /** Stops the work. */
  readonly signal: AbortSignal;
  /** How long the work may take, in milliseconds. @default {30_000} */
  readonly timeoutMs?: number | undefined;
  /** The user as whom the work is done, in a process of that user. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/** How long work that is stopped may take to clean up before its call is answered without it. */
const GRACE_MS = 250;
/** How long a user's process is kept that has nothing to do. */
const IDLE_MS = 60_000;

const threads = new FileWorkers({ start: () => new FileThread(), usual: 4 });
const processes = new Map<string, FileWorkers>();

/** The workers of a user; those of an account that has changed do not work for the new one. */
function workersOf(user: RunAsUser | undefined): FileWorkers {
  if (user === undefined) return threads;
  const key = `${user.uid}:${user.gid}:${user.name}`;
  const known = processes.get(key);
  if (known !== undefined) return known;
  const start = () => new FileProcess(user);
  const workers = new FileWorkers({ start, usual: 1, idleMs: IDLE_MS });
  processes.set(key, workers);
  return workers;
}

/**
 * Works on a file in a thread, or in a process of another user, so that a file system that hangs blocks only this call. Rejects when
 * the work is stopped or late, even while an operation hangs: the work then cleans up in the
 * background as soon as it can. Rejects with a `BusyError` while too many operations hang.
 */
export async function withFileSystem<T>(
  file: FileAction,
  { signal, timeoutMs = 30_000, user }: FileBounds,
  work: (system: FileSystem, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  using _deadline = firstOf({ signal, timeoutMs }, (expiry) => {
    stop.abort(expiry === "aborted" ? signal.reason : late(file, timeoutMs));
  });
  const { signal: stopped } = stop;
  return await answerOf(inWorker(workersOf(user), { file, signal: stopped, work }), stopped);
}

interface FileWork<T> {
  readonly file: FileAction;
  readonly signal: AbortSignal;
  readonly work: (system: FileSystem, signal: AbortSignal) => Promise<T>;
}

async function inWorker<T>(workers: FileWorkers, { file, signal, work }: FileWork<T>): Promise<T> {
  const worker = await workers.acquire(file, signal);
  try {
    return await work(new FileSystem(worker), signal);
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
      quote(path)
    }: its file system did not finish within ${timeoutMs} ms${unsure}`,
    { code: "FILE_TIMED_OUT" },
  );
}
