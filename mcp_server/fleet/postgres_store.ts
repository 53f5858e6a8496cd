import type { OutputStream } from "../tool/command.ts";
import type { FleetServer } from "../tool/fleet.ts";
import { quote } from "../shared/error.ts";
import { JobError } from "../tool/job.ts";
import {
  type AddressedCommand,
  type Creation,
  type GoneServer,
  type JobCommand,
  type JobEnd,
  type JobStore,
  type JournalEntry,
  markOf,
  type NewJob,
  type NumberedEntry,
  type OrphanEnd,
  type OutputPiece,
  type StoredJob,
  type StoreQuery,
} from "../jobs/job_store.ts";
import type { CallOutcome } from "../tool/result.ts";
import { toOutcome } from "../jobs/stored_values.ts";
import { PostgresChanges } from "./postgres_changes.ts";
import { sendCommand, takeCommands } from "./postgres_commands.ts";
import { findByKey, insertJob, makeRoom, mayHaveMore } from "./postgres_creation.ts";
import type { PostgresDatabase, Queryable } from "./postgres_database.ts";
import { endJob } from "./postgres_end.ts";
import { readJournal } from "./postgres_journal.ts";
import { readOutput } from "./postgres_output.ts";
import { JOB_COLUMNS, type PostgresJob, toPostgresJob, toStoredJob } from "./postgres_rows.ts";
import { PostgresServers, type ServerPlace } from "./postgres_servers.ts";
import { type JobRun, PostgresWrites } from "./postgres_writes.ts";

/** How many jobs one transaction removes. */
const REMOVED_AT_ONCE = 500;
/** Every id has this form; PostgreSQL refuses others, such as one with U+0000. */
const ID = /^[0-9a-f-]{36}$/;

/** What a server brings along for the store. */
export interface PostgresStoreOptions {
  readonly identity: ServerPlace;
  /** How busy it is, for the other servers. */
  readonly load: () => FleetServer["load"];
}

/**
 * Keeps jobs in PostgreSQL for all servers that use the same schema. A job belongs to the lease of
 * the server that runs it: once that has run out and another server has ended the job or started it
 * again, nothing that the old one does to it has an effect.
 */
export abstract class PostgresJobStore implements JobStore {
  protected readonly database: PostgresDatabase;
  protected readonly changes: PostgresChanges;
  protected readonly registry: PostgresServers;
  protected readonly writes: PostgresWrites;
  protected readonly identity: ServerPlace;
  readonly #lost = new Set<() => void>();
  readonly heldBytes: number = 1024 * 1024;

  /** Takes a database with tables; `start()` begins. */
  protected constructor(database: PostgresDatabase, { identity, load }: PostgresStoreOptions) {
    this.database = database;
    this.identity = identity;
    this.changes = new PostgresChanges(database);
    this.writes = new PostgresWrites(database, this.changes);
    const onLost = () => {
      for (const listener of [...this.#lost]) listener();
    };
    this.registry = new PostgresServers(database, identity, { load, onLost });
  }

  get server(): string {
    return this.registry.own;
  }

  /** Registers this server, and listens for changes. */
  async start(): Promise<void> {
    await this.registry.register();
    this.changes.identify(() => this.server);
    this.changes.start();
  }

  /** Calls back if the lease of this server is lost, until disposed of. */
  onLost(listener: () => void): Disposable {
    this.#lost.add(listener);
    return { [Symbol.dispose]: () => void this.#lost.delete(listener) };
  }

  async create(job: NewJob, maxJobs: number): Promise<Creation> {
    const creation = await this.insert(job, maxJobs, async (tx) => {
      await this.registry.hold(tx);
      return await insertJob(tx, job, {
        server: { id: this.server, name: this.identity.name },
      });
    });
    if (creation.kind === "created") this.changes.report(job.id);
    return creation;
  }

  async find(id: string): Promise<StoredJob | undefined> {
    if (!ID.test(id)) return undefined;
    const [row] = await this.database.query(`SELECT ${JOB_COLUMNS} FROM ~job WHERE id = $1`, [id]);
    return row === undefined ? undefined : toStoredJob(toPostgresJob(row));
  }

  async outcome(id: string): Promise<CallOutcome | undefined> {
    const [row] = await this.database.query(
      "SELECT outcome FROM ~outcome WHERE job = (SELECT seq FROM ~job WHERE id = $1)",
      [id],
    );
    return row === undefined ? undefined : toOutcome(String(row.outcome));
  }

  async list({ caller, state, tool, limit, before, now }: StoreQuery): Promise<StoredJob[]> {
    const rows = await this.database.query(
      `SELECT ${JOB_COLUMNS} FROM ~job WHERE ($1::text IS NULL OR caller = $1) AND (expires IS NULL OR expires > $2) ` +
        "AND ($3::text IS NULL OR state = $3) AND ($4::text IS NULL OR tool = $4) " +
        "AND ($5::bigint IS NULL OR seq < $5) ORDER BY seq DESC LIMIT $6",
      [caller ?? null, now, state ?? null, tool ?? null, before ?? null, limit],
    );
    return rows.map((row) => toStoredJob(toPostgresJob(row)));
  }

  begin(id: string, startedAt: number): Promise<boolean> {
    return this.writes.begin(id, startedAt, this.#first);
  }

  append(id: string, pieces: readonly OutputPiece[]): Promise<boolean> {
    return this.writes.append(id, pieces, this.#first);
  }

  note(id: string, entries: readonly JournalEntry[]): Promise<boolean> {
    return this.writes.note(id, entries, this.#first);
  }

  end(id: string, end: JobEnd): Promise<boolean> {
    return this.writes.end(id, end, this.#first);
  }

  async read(
    id: string,
    stream: OutputStream,
    bounds: { from: number; to: number },
  ): Promise<OutputPiece[]> {
    return await readOutput(this.database, id, { stream, ...bounds });
  }

  async journal(id: string, after: number): Promise<NumberedEntry[]> {
    return await readJournal(this.database, id, after);
  }

  async remove(id: string): Promise<boolean> {
    const sql = "DELETE FROM ~job WHERE id = $1 AND ended IS NOT NULL RETURNING 1";
    return await this.database.transaction(async (tx) => {
      const removed = (await tx.query(sql, [id])).length > 0;
      if (removed) await this.changes.notify(tx, "job", id);
      return removed;
    });
  }

  async removeExpired(now: number): Promise<number> {
    const removed = await this.database.query(
      "DELETE FROM ~job WHERE seq IN (SELECT seq FROM ~job WHERE ended IS NOT NULL " +
        "AND expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1",
      [now, REMOVED_AT_ONCE],
    );
    return removed.length;
  }

  async send(id: string, command: JobCommand): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [job] = await tx.query(
        "SELECT seq, server FROM ~job WHERE id = $1 AND ended IS NULL FOR UPDATE",
        [ID.test(id) ? id : ""],
      );
      if (job === undefined) throw notFound(id);
      await sendCommand(tx, { id, seq: Number(job.seq) }, command);
      await this.changes.notify(tx, "command", String(job.server));
    });
  }

  takeCommands(full: ReadonlySet<string> = new Set()): Promise<AddressedCommand[]> {
    return takeCommands(this.database, this.server, { full });
  }

  onChange(listener: (id: string | undefined) => void): Disposable {
    return this.changes.listen(listener);
  }

  async loseOrphans(end: OrphanEnd): Promise<GoneServer[]> {
    const reaped = await this.registry.reap((tx, server) =>
      this.loseJobs({ server }, end, (work) => work(tx))
    );
    if (reaped) this.changes.report();
    return await this.registry.gone();
  }

  async forgetServer(server: string): Promise<void> {
    await this.registry.forget(server);
  }

  async tidy(): Promise<boolean> {
    await this.registry.forgetOld();
    return true;
  }

  async close(): Promise<void> {
    this.writes.close();
    await this.changes.close();
    try {
      await this.registry.close();
    } finally {
      await this.database.close();
    }
  }

  /** Creates a job, unless its key is known or too many jobs are kept. */
  protected async insert(
    job: NewJob,
    maxJobs: number,
    insertNow: (tx: Queryable) => Promise<PostgresJob | undefined>,
  ): Promise<Creation> {
    for (;;) {
      const creation = await this.database.transaction(
        async (tx): Promise<Creation | undefined> => {
          const known = await findByKey(tx, job);
          if (known !== undefined) return known;
          if (!await mayHaveMore(tx, job)) return { kind: "full", of: "caller" };
          if (!await makeRoom(tx, job, maxJobs)) return { kind: "full", of: "server" };
          const created = await insertNow(tx);
          // Another server has used the key since: the next transaction finds its job.
          return created === undefined ? undefined : { kind: "created", job: toStoredJob(created) };
        },
      );
      if (creation !== undefined) return creation;
    }
  }

  /** Ends a job whose server is gone. */
  protected async loseJob(
    tx: Queryable,
    job: PostgresJob,
    { outcomeOf, ...end }: OrphanEnd,
  ): Promise<void> {
    await endJob(tx, job, { ...end, state: "lost", outcome: outcomeOf(job.state) });
  }

  /** The first run of a job that this server has created. */
  get #first(): JobRun {
    return { server: this.server, attempt: 1 };
  }

  /** Ends live jobs of a server; resolves with the marks of those that had begun. */
  protected async loseJobs(
    { server, ids }: { readonly server: string; readonly ids?: readonly string[] },
    end: OrphanEnd,
    within: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T> = (work) =>
      this.database.transaction(work),
  ): Promise<string[]> {
    return await within(async (tx) => {
      const rows = await tx.query(
        `SELECT ${JOB_COLUMNS} FROM ~job WHERE server = $1 AND ended IS NULL ` +
          "AND ($2::text[] IS NULL OR id = ANY ($2)) FOR UPDATE",
        [server, ids ?? null],
      );
      const jobs = rows.map(toPostgresJob);
      for (const job of jobs) {
        await this.loseJob(tx, job, end);
        await this.changes.notify(tx, "job", job.id);
      }
      return jobs.filter(({ startedAt }) => startedAt !== undefined).map(markOf);
    });
  }
}

function notFound(id: string): JobError {
  return new JobError(`Cannot find the job ${quote(id)}: it has ended`, {
    code: "JOB_NOT_FOUND",
  });
}
