import { dirname } from "node:path/posix";
import { type Expiry, firstOf } from "../../../shared/deadline.ts";
import { LineReader } from "../../../shared/read_lines.ts";
import { workingFolder } from "../../../shared/working_folder.ts";
import type { EnvLookup } from "../database_target.ts";
import {
  type BatchOptions,
  failed,
  type OpenOptions,
  type QueryBounds,
  type QueryOutcome,
  type SqlQuery,
  type SqlSession,
} from "../sql_session.ts";
import type { SqliteOptions } from "./database.ts";
import { SQLITE_WORKER_FLAG, type SqliteReply, type SqliteRequest } from "./protocol.ts";

const OWN_STATEMENT_MS = 10_000;
const FOLDER_REMOVED = "Cannot open the database: its path is relative and the server's working " +
  "folder was removed; set MCP_DATA_DIR to an absolute path";

/** A connection to an SQLite file in a separate process. */
export class SqliteSession implements SqlSession {
  readonly #file: SqliteOptions;
  readonly #env: EnvLookup;
  readonly #onLost: (why: string) => void;
  #process: WorkerProcess;
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
    this.#process = new WorkerProcess(env, onLost);
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
    const { maxRows, maxBytes, timeoutMs, signal } = bounds;
    const process = this.#process;
    const wasInTransaction = this.#inTransaction;
    const { promise: stopped, resolve } = Promise.withResolvers<QueryOutcome>();
    using _deadline = firstOf({ signal, timeoutMs }, async (expiry) => {
      await process.kill();
      const stop = failed("SQLITE_INTERRUPT", whyStopped(expiry, timeoutMs));
      resolve({ ...stop, inDoubt: true });
    });
    const asked = this.#ask({ run: query, bounds: { maxRows, maxBytes } });
    const outcome = await Promise.race([stopped, asked]);
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
    if (!(await this.#askSoon({ reset: true })).ok) await this.close();
  }

  async close(): Promise<void> {
    await this.#process.kill();
  }

  /** Starts a process for the statements after a stopped one; without the file they all fail. */
  async #startAnew(wasInTransaction: boolean): Promise<void> {
    this.#transactionLost = wasInTransaction;
    this.#inTransaction = false;
    this.#process = new WorkerProcess(this.#env, this.#onLost);
    const opened = await this.#askSoon({ open: this.#file });
    if (opened.ok) return;
    this.#unopened = opened;
    await this.close();
  }

  async #askSoon(request: SqliteRequest): Promise<QueryOutcome> {
    const process = this.#process;
    using _deadline = firstOf({ timeoutMs: OWN_STATEMENT_MS }, () => void process.kill());
    return await this.#ask(request);
  }

  async #ask(request: SqliteRequest): Promise<QueryOutcome> {
    const reply = await this.#process.ask(request);
    if (reply === undefined) {
      const message = "Cannot finish the query: the process of the database has ended; " +
        "check whether it took effect, and try again";
      return { ...failed("SQLITE_ABORT", message), inDoubt: true };
    }
    this.#inTransaction = reply.inTransaction;
    this.#onlyRead = reply.onlyRead;
    return reply.outcome;
  }
}

function whyStopped(expiry: Expiry, timeoutMs: number): string {
  if (expiry === "aborted") return "The call was stopped";
  return `Cannot finish the query within ${timeoutMs} ms: it was stopped; set a longer timeoutMs`;
}

/** The process; requests and replies are lines of JSON. */
class WorkerProcess {
  alive = true;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #output: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #reader = new LineReader();
  readonly #ended: Promise<void>;

  constructor(env: EnvLookup, onLost: (why: string) => void) {
    this.#child = workerCommand(env).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.getReader();
    this.#ended = this.#child.status.then(({ code }) => {
      const isLost = this.alive;
      this.alive = false;
      if (isLost) onLost(`the process ended with code ${code}`);
    });
  }

  /** Returns `undefined` if the process has ended. */
  async ask(request: SqliteRequest): Promise<SqliteReply | undefined> {
    try {
      await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
      for (;;) {
        const { value: chunk } = await this.#output.read();
        if (chunk === undefined) break;
        const [line] = this.#reader.read(chunk);
        if (line !== undefined) return JSON.parse(String(line));
      }
    } catch {
      // The pipe is closed: the process has ended.
    }
    await this.kill();
    return undefined;
  }

  /** Ends the process, at any point of a statement, which does no harm to SQLite's files. */
  async kill(): Promise<void> {
    try {
      if (this.alive) this.#child.kill("SIGKILL");
    } catch {
      // It has just ended by itself.
    }
    this.alive = false;
    await this.#ended;
    await Promise.allSettled([this.#writer.abort(), this.#output.cancel()]);
  }
}

function workerCommand(lookUp: EnvLookup): Deno.Command {
  const runtime = { standalone: Deno.build.standalone, execPath: Deno.execPath() };
  const { program, args, env } = sqliteWorkerCommand(runtime, lookUp);
  return new Deno.Command(program, {
    args,
    env,
    clearEnv: true,
    // A process can't be started in a folder that was removed.
    ...(workingFolder() === undefined ? { cwd: "/" } : {}),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  });
}

/** How this server is run. */
export interface Runtime {
  /** It is a compiled program, so there is no `deno` to run a file with. */
  readonly standalone: boolean;
  /** The program that runs: `deno`, or the compiled server. */
  readonly execPath: string;
}

/** A program to start, with its whole environment. */
export interface WorkerCommand {
  readonly program: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

const PROGRAM = new URL("./main.ts", import.meta.url);
/** V8 would keep 32 MiB for new objects after a large answer; this is as quick. */
const HEAP = "--v8-flags=--max-semi-space-size=1";
const FLAGS = ["--quiet", "--no-prompt", "--no-config", "--no-lock", "--cached-only", HEAP];
const RIGHTS = ["--allow-read", "--allow-write"];
/** The variables that Deno needs to find its cache; secrets are not passed on. */
const ENV = ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "TMPDIR", "SQLITE_TMPDIR"];

/** How the process that opens an SQLite file is started: a compiled server starts itself again. */
export function sqliteWorkerCommand(
  { standalone, execPath }: Runtime,
  lookUp: EnvLookup,
): WorkerCommand {
  const found = ENV.flatMap((name) => {
    const value = lookUp(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    program: execPath,
    args: standalone ? [SQLITE_WORKER_FLAG] : ["run", ...FLAGS, ...RIGHTS, PROGRAM.href],
    env: Object.fromEntries(found),
  };
}
