import { JobError } from "../../tool/job.ts";
import type { GoneServer, OrphanEnd } from "../job_store.ts";
import type { Dialect, Row, Statement, Work } from "../sql.ts";
import { endJob, liveJobs, toInsertJob } from "../sql_jobs.ts";
import { Listeners, SqlJobStore, type WriteOptions } from "../sql_store.ts";
import { SqliteFile, StoreTurns } from "./sqlite_file.ts";

/** How often the store is polled for changes of other servers. */
const POLL_MS = 250;
/** How many free pages are returned to the file system at once. */
const PAGES_AT_ONCE = 128;
/** So many free pages are left for the next output. */
const SPARE_PAGES = 64;

const DIALECT: Dialect = Object.freeze({
  joinsOutput: true,
  removedAtOnce: 5,
  // SQLite finds a row faster than it returns one.
  insertJob: toInsertJob(["server"]),
  // Transactions that change something run one after another.
  lockCaller: () => [],
  // They go with the rows of their jobs.
  forgetCall: () => [],
  forgetJobs: () => [],
  // Other servers poll.
  notify: () => [],
});

/**
 * Keeps jobs in the SQLite file `jobs.db` of a folder (WAL mode), which several servers of one
 * machine may share. Every change is one short transaction; what is written survives the end of the
 * server, whatever its cause; a power failure may lose the last seconds. A lock of another process
 * holds up only those who wait for a change.
 */
export class SqliteJobStore extends SqlJobStore {
  readonly server: string = crypto.randomUUID();
  readonly #file: SqliteFile;
  readonly #turns: StoreTurns;
  readonly #servers: SqliteServers;
  readonly #changes: PolledChanges;

  private constructor(file: SqliteFile, turns: StoreTurns, folder: string) {
    super(DIALECT);
    this.#file = file;
    this.#turns = turns;
    this.#servers = new SqliteServers(file, turns, folder, this.server);
    this.#changes = new PolledChanges(file);
  }

  /** Opens the store of a folder, and creates both if they are missing; rejects with a `JobError`. */
  static async open(folder: string): Promise<SqliteJobStore> {
    const path = `${folder}/jobs.db`;
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
      const message = `Cannot keep jobs in "${path}": ${cause.message}`;
      throw new JobError(message, { code: "JOBS_UNAVAILABLE", cause });
    });
    const turns = new StoreTurns();
    const file = await turns.run(() => SqliteFile.open(path));
    const store = new SqliteJobStore(file, turns, folder);
    try {
      await store.#servers.register();
      return store;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  onChange(listener: (id: string | undefined) => void): Disposable {
    return this.#changes.listen(listener);
  }

  async loseOrphans({ outcomeOf, ...end }: OrphanEnd): Promise<GoneServer[]> {
    const gone = await this.#servers.findGone();
    for (const server of gone) {
      await this.transact(function* () {
        for (const job of yield* liveJobs(server)) {
          yield* endJob(job, { ...end, state: "lost", outcome: outcomeOf(job.state) }, DIALECT);
        }
      });
    }
    if (gone.length > 0) this.#changes.report();
    const begun =
      "SELECT id FROM ~job WHERE server = $1 AND state = 'lost' AND started IS NOT NULL";
    return await Promise.all(gone.map(async (server) => {
      const rows = await this.query(begun, server);
      return { server, begun: rows.map(({ id }) => String(id)) };
    }));
  }

  forgetServer(server: string): Promise<void> {
    return this.#servers.forget(server);
  }

  tidy(): Promise<boolean> {
    return this.#turns.run(() => {
      const [row] = this.#file.query("PRAGMA freelist_count");
      const isTidy = Number(row?.freelist_count) <= SPARE_PAGES;
      if (isTidy) this.#file.ensureReserve();
      else this.#file.query(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
      return isTidy;
    });
  }

  async close(): Promise<void> {
    this.#changes.close();
    this.#turns.endSoon();
    try {
      await this.#servers.close();
    } finally {
      await this.#turns.idle();
      this.#file.close();
    }
  }

  protected query(...statement: Statement): Promise<Row[]> {
    return this.#turns.read(() => this.#file.query(...statement));
  }

  protected transact<T>(work: () => Work<T>, { grows = false }: WriteOptions = {}): Promise<T> {
    const file = this.#file;
    return this.#turns.run(() => grows ? file.growingTransaction(work) : file.transaction(work));
  }

  // deno-lint-ignore require-yield
  protected *place(): Work<readonly unknown[]> {
    return [this.server];
  }

  protected report(id: string): void {
    this.#changes.report(id);
  }
}

/** Reports changes of a store: those of this server at once, those of others by polling. */
class PolledChanges {
  readonly #file: SqliteFile;
  readonly #listeners = new Listeners<string | undefined>();
  #seen = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Calls back after each change, until disposed of; without listeners, nothing is polled. */
  listen(listener: (id: string | undefined) => void): Disposable {
    const added = this.#listeners.add(listener);
    if (this.#timer === undefined) this.#start();
    return {
      [Symbol.dispose]: () => {
        added[Symbol.dispose]();
        if (this.#listeners.size === 0) this.close();
      },
    };
  }

  /** Reports a change; without an id, any job may have changed. */
  report(id?: string): void {
    this.#listeners.report(id);
  }

  /** Stops polling. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    this.#seen = this.#version() ?? NaN;
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    Deno.unrefTimer(Number(this.#timer));
  }

  #look(): void {
    const version = this.#version();
    if (version === undefined || version === this.#seen) return;
    this.#seen = version;
    this.report();
  }

  /** Differs after each change by another server; `undefined` if the store fails, as its users see. */
  #version(): number | undefined {
    try {
      return Number(this.#file.query("PRAGMA data_version")[0]?.data_version);
    } catch {
      return undefined;
    }
  }
}

/** The servers that share a store, each with a lock that shows whether it is alive. */
class SqliteServers {
  readonly #file: SqliteFile;
  readonly #turns: StoreTurns;
  readonly #folder: string;
  readonly #own: string;
  readonly #locks = new Map<string, Disposable>();

  constructor(file: SqliteFile, turns: StoreTurns, folder: string, own: string) {
    this.#file = file;
    this.#turns = turns;
    this.#folder = folder;
    this.#own = own;
  }

  /** Registers this server; its lock is held before others can see it. */
  async register(): Promise<void> {
    await this.#hold(this.#own);
    try {
      const sql = "INSERT INTO server (id) VALUES (?)";
      await this.#turns.run(() => this.#file.query(sql, this.#own));
    } catch (error) {
      await this.#release(this.#own);
      throw error;
    }
  }

  /**
   * The servers that are gone. This server then holds their locks, so that no other one cleans up
   * after them.
   */
  async findGone(): Promise<string[]> {
    const sql = "SELECT id FROM server WHERE id <> ?";
    const rows = await this.#turns.read(() => this.#file.query(sql, this.#own));
    const gone: string[] = [];
    for (const id of rows.map((row) => String(row.id))) {
      if (this.#locks.has(id) || await this.#hold(id)) gone.push(id);
    }
    return gone;
  }

  /** Removes a server that is gone. */
  async forget(id: string): Promise<void> {
    await this.#turns.run(() => this.#file.query("DELETE FROM server WHERE id = ?", id));
    await this.#release(id);
  }

  /**
   * Removes this server, unless it has jobs whose end could not be stored: they are lost once its
   * lock is free. Leaves servers that are gone to others.
   */
  async close(): Promise<void> {
    const live = "SELECT 1 FROM job WHERE server = ? AND ended IS NULL LIMIT 1";
    try {
      const left = await this.#turns.read(() => this.#file.query(live, this.#own));
      if (left.length === 0) await this.forget(this.#own);
    } finally {
      this.#releaseAll();
    }
  }

  #releaseAll(): void {
    for (const lock of this.#locks.values()) lock[Symbol.dispose]();
    this.#locks.clear();
  }

  /** Removes a lock that is held, and its file. */
  async #release(id: string): Promise<void> {
    await Deno.remove(this.#pathOf(id)).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
    this.#locks.get(id)?.[Symbol.dispose]();
    this.#locks.delete(id);
  }

  async #hold(id: string): Promise<boolean> {
    const lock = await acquire(this.#pathOf(id));
    if (lock !== undefined) this.#locks.set(id, lock);
    return lock !== undefined;
  }
  /** The path of a server's lock, next to the store. */
  #pathOf(id: string): string {
    return `${this.#folder}/jobs-${id}.lock`;
  }
}

/**
 * Acquires the lock of a server, which shows other servers that it is alive; `undefined` if another
 * process holds it. It is a lock on an open file (flock(2)): the kernel releases it when the
 * process ends, however that happens, and unlike a process id, the identity is never reused.
 */
async function acquire(path: string): Promise<Disposable | undefined> {
  const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  if (await file.tryLock(true)) return file;
  file.close();
  return undefined;
}
