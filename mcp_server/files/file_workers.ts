import { Worker } from "node:worker_threads";
import { firstOf } from "../shared/deadline.ts";
import { BusyError } from "../shared/error.ts";
import { KeyedPool } from "../shared/keyed_pool.ts";
import { workingFolder } from "../shared/working_folder.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import {
  carryOut,
  FILE_OPERATIONS,
  type FileOperations,
  type FileReply,
  type FileRequest,
  resultOf,
} from "./file_operations.ts";
import { FileSystem, type FileWorker } from "./file_system.ts";

/** Work on a file; its path is the real one if the paths of the caller are bounded. */
export type FileWork<T> = (system: FileSystem, path: string, signal: AbortSignal) => Promise<T>;

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

const MODULE = new URL("./file_thread_main.ts", import.meta.url);
/** A worker can't start from a remote module, but its own module may import one. */
const START = MODULE.protocol === "file:" ? MODULE : new URL(
  `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(MODULE.href)};`)}`,
);

/**
 * A thread that carries out file operations in order. One that hangs blocks later ones in this
 * thread, and nothing else. An idle thread does not keep the program alive. No thread starts while
 * the working folder is removed: the operations then run where they are called.
 */
export class FileThread implements FileWorker {
  readonly #worker = workingFolder() !== undefined ? new Worker(START) : undefined;
  /** The operations that have not been answered yet, in their order. */
  readonly #asked: PromiseWithResolvers<FileReply>[] = [];
  #alive = true;

  constructor() {
    this.#worker?.unref();
    this.#worker?.on("message", (reply: FileReply) => this.#settle(reply));
    this.#worker?.on("error", (error: Error) => this.#end(error));
  }

  get alive(): boolean {
    return this.#alive;
  }

  async call<Name extends keyof FileOperations>(
    name: Name,
    ...args: Parameters<FileOperations[Name]>
  ): Promise<ReturnType<FileOperations[Name]>> {
    const request: FileRequest = { name, args };
    if (this.#worker === undefined) return resultOf(carryOut(FILE_OPERATIONS, request));
    const asked = Promise.withResolvers<FileReply>();
    this.#asked.push(asked);
    this.#worker.ref();
    this.#worker.postMessage(request, buffersIn(args));
    return resultOf(await asked.promise);
  }

  end(): void {
    void this.#worker?.terminate();
  }

  #settle(reply: FileReply): void {
    this.#asked.shift()?.resolve(reply);
    if (this.#asked.length === 0) this.#worker?.unref();
  }

  #end(error: Error): void {
    this.#alive = false;
    for (const asked of this.#asked.splice(0)) asked.reject(error);
  }
}

/** The buffers among values, which a message is to transfer. */
function buffersIn(values: readonly unknown[]): ArrayBuffer[] {
  return values.filter((value) => value instanceof ArrayBuffer);
}
