import { dirname } from "node:path/posix";
import { type Expiry, firstOf } from "../../shared/concurrency.ts";
import { workerCommand, WorkerProcess, type WorkerProgram } from "../../shared/worker_process.ts";
import { workingFolder } from "../../shared/environment.ts";
import type { EnvLookup } from "./database_target.ts";
import {
  type BatchOptions,
  failed,
  type OpenOptions,
  type QueryBounds,
  type QueryOutcome,
  type SqlQuery,
  type SqlSession,
} from "./sql_session.ts";
import type { SqliteOptions } from "./sqlite_database.ts";
import type { SqliteReply, SqliteRequest } from "./sqlite_worker.ts";

const OWN_STATEMENT_MS = 10_000;
const FOLDER_REMOVED = "Cannot open the database: its path is relative and the server's working " +
  "folder was removed; set MCP_DATA_DIR to an absolute path";

/** Rows of one query are bounded; their text, and all around them, is not longer than this. */
const MOST_REPLY_BYTES = 64 * 1024 * 1024;
const HAS_ENDED: QueryOutcome = {
  ...failed(
    "SQLITE_ABORT",
    "Cannot finish the query: the process of the database has ended; " +
      "check whether it took effect, and try again",
  ),
  inDoubt: true,
};

/** A connection to an SQLite file in a separate process. */
export class SqliteSession implements SqlSession {
  readonly #file: SqliteOptions;
  readonly #env: EnvLookup;
  readonly #onLost: (why: string) => void;
  #process: WorkerProcess<SqliteRequest, SqliteReply>;
  #inTransaction = false;
  #onlyRead = true;
  /** Settles when nothing of the previous batch is left. */
  #tidying = Promise.resolve();
  /** A statement was stopped within a transaction, which was rolled back as a whole. */
  #transactionLost = false;
  /** A query that failed rolled its transaction back, as RAISE(ROLLBACK) does. */
  #rolledBack = false;
  /** Why the file could not be opened again after a stopped statement. */
  #unopened: QueryOutcome | undefined;

  private constructor(file: SqliteOptions, env: EnvLookup, onLost: (why: string) => void) {
    this.#file = file;
    this.#env = env;
    this.#onLost = onLost;
    this.#process = startProcess(env, onLost);
  }

  /** Opens the file, and creates it if it is missing; rejects with SQLite's error. */
  static async open(
    file: SqliteOptions,
    env: EnvLookup,
    { onLost }: OpenOptions,
  ): Promise<SqliteSession> {
    if (!file.path.startsWith("/") && workingFolder() === undefined) {
      throw failed("NO_FOLDER", FOLDER_REMOVED).error;
    }
    if (!file.readOnly) await Deno.mkdir(dirname(file.path), { recursive: true, mode: 0o700 });
    const session = new SqliteSession(file, env, onLost);
    const outcome = await session.#ask({ open: file });
    if (outcome.ok) return session;
    await session.close();
    throw outcome.error;
  }

  get usable(): boolean {
    return this.#process.alive;
  }

  async begin(_options: BatchOptions): Promise<boolean> {
    await this.#tidying;
    return this.usable;
  }

  async run(query: SqlQuery, bounds: QueryBounds): Promise<QueryOutcome> {
    if (this.#unopened !== undefined) return this.#unopened;
    if (this.#transactionLost) {
      return failed(
        "SQLITE_ABORT",
        "Cannot run the query: the transaction of this batch was rolled back; begin again",
      );
    }
    const { timeoutMs, signal, ...answerBounds } = bounds;
    const process = this.#process;
    const wasInTransaction = this.#inTransaction;
    let stoppedBy: Expiry | undefined;
    using _deadline = firstOf({ signal, timeoutMs }, (expiry) => {
      stoppedBy = expiry;
      void process.kill();
    });
    const reply = await this.#ask({ run: query, bounds: answerBounds });
    const outcome = reply === HAS_ENDED && stoppedBy !== undefined
      ? stopped(stoppedBy, timeoutMs)
      : reply;
    if (!process.alive && !signal.aborted) await this.#startAnew(wasInTransaction);
    else if (!outcome.ok && wasInTransaction && !this.#inTransaction) this.#rolledBack = true;
    return outcome;
  }

  async reset(): Promise<{ rolledBack: boolean }> {
    const rolledBack = this.#inTransaction || this.#transactionLost || this.#rolledBack;
    this.#transactionLost = this.#rolledBack = false;
    if (this.usable) this.#tidying = this.#tidy();
    if (!this.#onlyRead) await this.#tidying;
    return { rolledBack };
  }

  /** Forgets what a batch left behind; if it has only read, the answer is on its way meanwhile. */
  async #tidy(): Promise<void> {
    if (!(await this.#ask({ reset: true }, OWN_STATEMENT_MS)).ok) await this.close();
  }

  async close(): Promise<void> {
    await this.#process.kill();
  }

  /** Starts a process for the statements after a stopped one; without the file they all fail. */
  async #startAnew(wasInTransaction: boolean): Promise<void> {
    this.#transactionLost = wasInTransaction;
    this.#inTransaction = false;
    await this.#process.kill();
    this.#process = startProcess(this.#env, this.#onLost);
    const opened = await this.#ask({ open: this.#file }, OWN_STATEMENT_MS);
    if (opened.ok) return;
    this.#unopened = opened;
    await this.close();
  }

  /** Asks the process, which is killed after the time if there is one. */
  async #ask(request: SqliteRequest, timeoutMs?: number): Promise<QueryOutcome> {
    const reply = await this.#process.ask(request, timeoutMs);
    if (reply === undefined) return HAS_ENDED;
    this.#inTransaction = reply.inTransaction;
    this.#onlyRead = reply.onlyRead;
    return reply.outcome;
  }
}

function stopped(by: Expiry, timeoutMs: number): QueryOutcome {
  const message = by === "aborted"
    ? "The call was stopped"
    : `Cannot finish the query within ${timeoutMs} ms: it was stopped; set a longer timeoutMs, or use job-start`;
  return { ...failed("SQLITE_INTERRUPT", message), inDoubt: true };
}

const MODULE = new URL("./sqlite_worker.ts", import.meta.url);
/** V8 would keep 32 MiB for new objects after a large answer; this is as quick. */
const HEAP = "--v8-flags=--max-semi-space-size=1";
const RIGHTS = ["--allow-read", "--allow-write"];
/** The variables that Deno needs to find its cache; secrets are not passed on. */
const ENV = ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "TMPDIR", "SQLITE_TMPDIR"];

/** How the process that opens an SQLite file is started. */
export const SQLITE_WORKER: WorkerProgram = { module: MODULE, flags: [HEAP, ...RIGHTS] };

/** The environment of that process. */
export function sqliteWorkerEnv(lookUp: EnvLookup): Record<string, string> {
  return Object.fromEntries(ENV.flatMap((name) => {
    const value = lookUp(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

function startProcess(
  env: EnvLookup,
  onLost: (why: string) => void,
): WorkerProcess<SqliteRequest, SqliteReply> {
  return new WorkerProcess(workerCommand(SQLITE_WORKER), {
    env: sqliteWorkerEnv(env),
    clearEnv: true,
    // A process can't be started in a folder that was removed.
    cwd: workingFolder() === undefined ? "/" : undefined,
  }, {
    maxReplyBytes: MOST_REPLY_BYTES,
    onLost: (code) => onLost(`the process ended with code ${code}`),
  });
}
