import type { OutputStream } from "../../tool/command.ts";
import { JobError } from "../../tool/job.ts";
import type {
  AddressedCommand,
  Creation,
  GoneServer,
  JobCommand,
  JobEnd,
  JobStore,
  JournalEntry,
  NewJob,
  NumberedEntry,
  OrphanEnd,
  OutputPiece,
  StoredJob,
  StoreQuery,
} from "../job_store.ts";
import type { CallOutcome } from "../../tool/result.ts";
import { sendCommand, takeCommands } from "./sqlite_commands.ts";
import { insertJob, makeRoom, mayHaveMore } from "./sqlite_creation.ts";
import { SqliteFile } from "./sqlite_file.ts";
import {
  endJob,
  findByKey,
  findJob,
  findOutcome,
  getJob,
  listJobs,
  liveJobsOf,
} from "./sqlite_jobs.ts";
import { addEntries, readJournal } from "./sqlite_journal.ts";
import { appendOutput, readOutput } from "./sqlite_output.ts";
import { SqliteServers } from "./sqlite_servers.ts";
import { StoreChanges } from "./store_changes.ts";
import { StoreTurns } from "./store_turns.ts";

/** How many jobs one transaction removes. */
const REMOVED_AT_ONCE = 5;
/** How many free pages are returned to the file system at once. */
const PAGES_AT_ONCE = 128;
/** So many free pages are left for the next output. */
const SPARE_PAGES = 64;

/**
 * Keeps jobs in the SQLite file `jobs.db` of a folder (WAL mode), which several servers of one
 * machine may share. Every change is one short transaction; what is written survives the end of the
 * server, whatever its cause; a power failure may lose the last seconds. A lock of another process
 * holds up only those who wait for a change.
 */
export class SqliteJobStore implements JobStore {
  readonly server: string = crypto.randomUUID();
  readonly #file: SqliteFile;
  readonly #turns: StoreTurns;
  readonly #servers: SqliteServers;
  readonly #changes: StoreChanges;

  private constructor(file: SqliteFile, turns: StoreTurns, folder: string) {
    this.#file = file;
    this.#turns = turns;
    this.#servers = new SqliteServers(file, turns, { folder, own: this.server });
    this.#changes = new StoreChanges(() => Number(file.get("PRAGMA data_version")?.data_version));
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

  async create(job: NewJob, maxJobs: number): Promise<Creation> {
    const create = (): Creation => {
      const known = findByKey(this.#file, job);
      if (known !== undefined) return known;
      if (!mayHaveMore(this.#file, job)) return { kind: "full", of: "caller" };
      if (!makeRoom(this.#file, job, maxJobs)) return { kind: "full", of: "server" };
      insertJob(this.#file, job, this.server);
      return { kind: "created", job: getJob(this.#file, job.id) };
    };
    const creation = await this.#turns.run(() => this.#file.growingTransaction(create));
    if (creation.kind === "created") this.#changes.report(job.id);
    return creation;
  }

  find(id: string): Promise<StoredJob | undefined> {
    return this.#turns.read(() => findJob(this.#file, id));
  }

  outcome(id: string): Promise<CallOutcome | undefined> {
    return this.#turns.read(() => findOutcome(this.#file, id));
  }

  list(query: StoreQuery): Promise<StoredJob[]> {
    return this.#turns.read(() => listJobs(this.#file, query));
  }

  begin(id: string, startedAt: number): Promise<boolean> {
    return this.#change(id, (job) => {
      this.#file.run(
        "UPDATE job SET state = 'running', started = ? WHERE seq = ?",
        startedAt,
        job.seq,
      );
      addEntries(this.#file, job, [{ type: "state", state: "running" }]);
    });
  }

  append(id: string, pieces: readonly OutputPiece[]): Promise<boolean> {
    const work = (job: StoredJob) => {
      const length = { ...job.length };
      for (const piece of pieces) {
        length[piece.stream] = appendOutput(this.#file, { ...job, length }, piece);
      }
      const sql = "UPDATE job SET stdout = ?, stderr = ? WHERE seq = ?";
      this.#file.run(sql, length.stdout, length.stderr, job.seq);
    };
    return this.#change(id, work, (transaction) => this.#file.growingTransaction(transaction));
  }

  note(id: string, entries: readonly JournalEntry[]): Promise<boolean> {
    return this.#change(id, (job) => addEntries(this.#file, job, entries));
  }

  async end(id: string, end: JobEnd): Promise<boolean> {
    const text = JSON.stringify(end.outcome);
    return await this.#change(id, (job) => endJob(this.#file, job, { ...end, text }));
  }

  read(
    id: string,
    stream: OutputStream,
    bounds: { from: number; to: number },
  ): Promise<OutputPiece[]> {
    return this.#turns.read(() =>
      this.#file.snapshot(() => {
        const job = findJob(this.#file, id);
        return job === undefined ? [] : readOutput(this.#file, job, { stream, ...bounds });
      })
    );
  }

  journal(id: string, after: number): Promise<NumberedEntry[]> {
    return this.#turns.read(() => readJournal(this.#file, id, after));
  }

  remove(id: string): Promise<boolean> {
    return this.#turns.run(() => {
      const sql = "DELETE FROM job WHERE id = ? AND ended IS NOT NULL";
      const removed = this.#file.lastTransaction(() => this.#file.run(sql, id)) > 0;
      if (removed) this.#changes.report(id);
      return removed;
    });
  }

  removeExpired(now: number): Promise<number> {
    const sql = "DELETE FROM job WHERE seq IN " +
      "(SELECT seq FROM job WHERE ended IS NOT NULL AND expires <= ? LIMIT ?)";
    return this.#turns.run(() =>
      this.#file.lastTransaction(() => this.#file.run(sql, now, REMOVED_AT_ONCE))
    );
  }

  send(id: string, command: JobCommand): Promise<void> {
    return this.#turns.run(() => sendCommand(this.#file, getJob(this.#file, id), command));
  }

  takeCommands(full: ReadonlySet<string> = new Set()): Promise<AddressedCommand[]> {
    return this.#turns.run(() => takeCommands(this.#file, this.server, { full }));
  }

  onChange(listener: (id: string | undefined) => void): Disposable {
    return this.#changes.listen(listener);
  }

  async loseOrphans(end: OrphanEnd): Promise<GoneServer[]> {
    const gone = await this.#servers.findGone();
    const lose = (server: string) =>
      this.#file.lastTransaction(() => this.#loseJobsOf(server, end));
    for (const server of gone) await this.#turns.run(() => lose(server));
    if (gone.length > 0) this.#changes.report();
    const begun = "SELECT id FROM job WHERE server = ? AND state = 'lost' AND started IS NOT NULL";
    return await this.#turns.read(() =>
      gone.map((server) => ({
        server,
        begun: this.#file.all(begun, server).map(({ id }) => String(id)),
      }))
    );
  }

  forgetServer(server: string): Promise<void> {
    return this.#servers.forget(server);
  }

  tidy(): Promise<boolean> {
    return this.#turns.run(() => {
      const free = Number(this.#file.get("PRAGMA freelist_count")?.freelist_count);
      const isTidy = free <= SPARE_PAGES;
      if (isTidy) this.#file.ensureReserve();
      else this.#file.all(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
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

  /** Changes a live job of this server; resolves with `false` if it is not one. */
  #change(
    id: string,
    work: (job: StoredJob) => void,
    commit: (transaction: () => boolean) => boolean = (transaction) =>
      this.#file.lastTransaction(transaction),
  ): Promise<boolean> {
    return this.#turns.run(() => {
      const changed = commit(() => {
        const job = this.#own(id);
        if (job !== undefined) work(job);
        return job !== undefined;
      });
      if (changed) this.#changes.report(id);
      return changed;
    });
  }

  #own(id: string): StoredJob | undefined {
    const job = findJob(this.#file, id);
    return job?.server === this.server && job.endedAt === undefined ? job : undefined;
  }

  #loseJobsOf(server: string, { outcomeOf, ...end }: OrphanEnd): void {
    for (const job of liveJobsOf(this.#file, server)) {
      const outcome = outcomeOf(job.state);
      const text = JSON.stringify(outcome);
      endJob(this.#file, job, { ...end, state: "lost", outcome, text });
    }
  }
}
