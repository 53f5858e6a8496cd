import { firstOf } from "../../../domain/deadline.ts";
import { BusyError } from "../../../domain/error.ts";
import { type FileAction, quote } from "../file_error.ts";
import { FileThread } from "./file_thread.ts";

/** Threads that are started on demand, and kept. */
const USUAL = 4;
/** Threads at most: those beyond the usual ones stand in for threads whose file system hangs. */
const MOST = 16;
/** How long a call waits for one of the usual threads before a further one is started for it. */
const PATIENCE_MS = 100;
/** After this time without the end of any call, all threads count as hanging. */
const HANGING_MS = 5_000;
const RETRY_SECONDS = 5;

/** The threads of the file tools; each call has its own. */
export class FileThreads {
  readonly #idle: FileThread[] = [];
  readonly #waiting: ((thread: FileThread) => void)[] = [];
  #count = 0;
  #lastEnd = 0;

  /**
   * Assigns a thread to a call; return it with `release()`. Rejects with a `BusyError` while every
   * thread hangs, with the signal's reason when the call is stopped meanwhile.
   */
  async acquire(file: FileAction, signal: AbortSignal): Promise<FileThread> {
    signal.throwIfAborted();
    const idle = this.#idle.pop();
    if (idle?.alive) return idle;
    if (idle !== undefined) this.#count--;
    return this.#count < USUAL ? this.#start() : await this.#wait(file, signal);
  }

  /** Takes back a thread whose operations have all ended. */
  release(thread: FileThread): void {
    this.#lastEnd = performance.now();
    const next = this.#waiting.shift();
    if (next !== undefined) return next(thread.alive ? thread : this.#replace());
    if (this.#count <= USUAL) return void this.#idle.push(thread);
    this.#count--;
    thread.end();
  }

  #start(): FileThread {
    this.#count++;
    this.#lastEnd = performance.now();
    return new FileThread();
  }

  #replace(): FileThread {
    this.#count--;
    return this.#start();
  }

  #wait(file: FileAction, signal: AbortSignal): Promise<FileThread> {
    const { promise, resolve, reject } = Promise.withResolvers<FileThread>();
    const settle = () => {
      clearInterval(timer);
      aborted[Symbol.dispose]();
      const at = this.#waiting.indexOf(onThread);
      if (at !== -1) this.#waiting.splice(at, 1);
    };
    const onThread = (thread: FileThread) => {
      settle();
      resolve(thread);
    };
    const look = () => {
      if (this.#count < MOST) return onThread(this.#start());
      if (performance.now() - this.#lastEnd < HANGING_MS) return;
      settle();
      reject(allHang(file));
    };
    const timer = setInterval(look, PATIENCE_MS);
    const aborted = firstOf({ signal }, () => {
      settle();
      reject(signal.reason);
    });
    this.#waiting.push(onThread);
    return promise;
  }
}

function allHang({ action, path }: FileAction): BusyError {
  return new BusyError(
    `Cannot ${action} ${
      quote(path)
    }: ${MOST} operations wait for file systems that don't answer; ` +
      "look at the mounts of the server's host, and try again",
    RETRY_SECONDS,
  );
}
