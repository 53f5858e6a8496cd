import { firstOf } from "../shared/deadline.ts";
import { BusyError } from "../shared/error.ts";
import { KeyedPool } from "../shared/keyed_pool.ts";
import { type FileAction, quotePath } from "./file_error.ts";
import type { FileWorker } from "./file_thread.ts";

/** Workers at most: those beyond the usual ones stand in for workers whose file system hangs. */
const MOST = 16;
/** How long a call waits for one of the usual workers before a further one is started for it. */
const PATIENCE_MS = 100;
/** After this time without the end of any call, all workers count as hanging. */
const HANGING_MS = 5_000;
const RETRY_SECONDS = 5;
/** All workers of a pool can be exchanged for each other. */
const IDLE = "";

/** What a pool consists of. */
interface WorkerOptions<Worker extends FileWorker> {
  readonly start: () => Worker;
  /** How many are started on demand, and kept. */
  readonly usual: number;
  /** How long an idle one is kept, in milliseconds. @default {forever} */
  readonly idleMs?: number;
}

/** The threads, or the processes of one user, for the file tools; each call has its own. */
export class FileWorkers<Worker extends FileWorker> {
  readonly #options: WorkerOptions<Worker>;
  readonly #idle = new KeyedPool<Worker>((worker) => this.#end(worker));
  readonly #waiting: ((worker: Worker) => void)[] = [];
  #count = 0;
  #lastEnd = 0;

  constructor(options: WorkerOptions<Worker>) {
    this.#options = options;
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
    return this.#count < this.#options.usual ? this.#start() : await this.#wait(file, signal);
  }

  /** Takes back a worker whose operations have all ended. */
  release(worker: Worker): void {
    this.#lastEnd = performance.now();
    // Whoever waits starts another one.
    if (!worker.alive) return void this.#count--;
    const next = this.#waiting.shift();
    if (next !== undefined) return next(worker);
    const { usual, idleMs } = this.#options;
    if (this.#count > usual) return this.#end(worker);
    this.#idle.give(IDLE, worker, idleMs);
  }

  #end(worker: Worker): void {
    this.#count--;
    worker.end();
  }

  #start(): Worker {
    const worker = this.#options.start();
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
