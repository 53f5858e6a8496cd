import { firstOf } from "../shared/deadline.ts";
import type { JobEnd, JournalEntry, OutputPiece } from "../jobs/job_store.ts";
import type { PostgresChanges } from "./postgres_changes.ts";
import { isAway, type PostgresDatabase, type Queryable } from "./postgres_database.ts";
import { endJob } from "./postgres_end.ts";
import { addEntries } from "./postgres_journal.ts";
import { appendOutput } from "./postgres_output.ts";
import { JOB_COLUMNS, type PostgresJob, toPostgresJob } from "./postgres_rows.ts";

/** Which run of a job writes: the lease of a server, and how often the job was started before. */
export interface JobRun {
  readonly server: string;
  readonly attempt: number;
}

/** Pauses between attempts to write while PostgreSQL is away, in milliseconds. */
const PAUSE_MS = { first: 250, most: 2_000 };

/**
 * Writes for the runs of jobs. Each write is fenced: it resolves with `false`, and has no effect, once
 * the run is over, because the job has ended, or was taken from its server.
 */
export class PostgresWrites {
  readonly #database: PostgresDatabase;
  readonly #changes: PostgresChanges;
  readonly #closing = new AbortController();

  /** Takes where to write, and who is notified. */
  constructor(database: PostgresDatabase, changes: PostgresChanges) {
    this.#database = database;
    this.#changes = changes;
  }

  /** Records that a queued job runs; while PostgreSQL is away, waits for it. */
  async begin(id: string, startedAt: number, run: JobRun): Promise<boolean> {
    return await this.#patiently(id, run, async (tx, job) => {
      const sql = "UPDATE ~job SET state = 'running', started = $1 WHERE seq = $2";
      await tx.query(sql, [startedAt, job.seq]);
      await addEntries(tx, job, [{ type: "state", state: "running" }]);
    });
  }

  /** Appends output; while PostgreSQL is away, waits for it. */
  async append(id: string, pieces: readonly OutputPiece[], run: JobRun): Promise<boolean> {
    return await this.#patiently(id, run, async (tx, job) => {
      const { stdout, stderr } = await appendOutput(tx, job, pieces);
      const sql = "UPDATE ~job SET stdout = $1, stderr = $2 WHERE seq = $3";
      await tx.query(sql, [stdout, stderr, job.seq]);
    });
  }

  /** Appends to the journal; while PostgreSQL is away, waits for it. */
  async note(id: string, entries: readonly JournalEntry[], run: JobRun): Promise<boolean> {
    return await this.#patiently(id, run, (tx, job) => addEntries(tx, job, entries));
  }

  /** Ends a job. */
  async end(id: string, end: JobEnd, run: JobRun): Promise<boolean> {
    return await this.change(id, run, (tx, job) => endJob(tx, job, end));
  }

  /** Changes a job of a run within a transaction that holds its row. */
  async change(
    id: string,
    { server, attempt }: JobRun,
    work: (tx: Queryable, job: PostgresJob) => Promise<void>,
  ): Promise<boolean> {
    const changed = await this.#database.transaction(async (tx) => {
      const [row] = await tx.query(
        `SELECT ${JOB_COLUMNS} FROM ~job WHERE id = $1 AND server = $2 AND attempt = $3 ` +
          "AND ended IS NULL FOR UPDATE",
        [id, server, attempt],
      );
      if (row === undefined) return false;
      await work(tx, toPostgresJob(row));
      await this.#changes.notify(tx, "job", id);
      return true;
    });
    if (changed) this.#changes.report(id);
    return changed;
  }

  /** Waits for PostgreSQL no longer: writes that do reject. */
  close(): void {
    this.#closing.abort();
  }

  async #patiently(
    id: string,
    run: JobRun,
    work: (tx: Queryable, job: PostgresJob) => Promise<void>,
  ): Promise<boolean> {
    const { signal } = this.#closing;
    for (let pause = PAUSE_MS.first;; pause = Math.min(2 * pause, PAUSE_MS.most)) {
      try {
        return await this.change(id, run, work);
      } catch (error) {
        if (!isAway(error) || signal.aborted) throw error;
      }
      using deadline = firstOf({ signal, timeoutMs: pause });
      await deadline.expired;
    }
  }
}
