import { firstOf } from "../shared/concurrency.ts";
import type { FleetServer } from "../tool/job.ts";
import type { GoneServer, OrphanEnd, StoredJob } from "../jobs/job_store.ts";
import { markOf } from "../jobs/live_job.ts";
import { type Row, type Statement, toStoredJob, type Work } from "../jobs/sql.ts";
import { endJob, toInsertJob } from "../jobs/sql_jobs.ts";
import { Listeners, SqlJobStore, type WriteOptions } from "../jobs/sql_store.ts";
import { PostgresChanges, PostgresMessages } from "./postgres_changes.ts";
import { isAway, type PostgresDatabase, type Transaction } from "./postgres_database.ts";
import { DAY_TABLES, PostgresDays } from "./postgres_setup.ts";
import { PostgresServers, type ServerPlace } from "./postgres_servers.ts";

/** Pauses between attempts to write while PostgreSQL is away, in milliseconds. */
const PAUSE_MS = { first: 250, most: 2_000 };

/** What a server brings along for the store. */
export interface PostgresStoreOptions {
  readonly identity: ServerPlace;
  /** How busy it is, for the other servers. */
  readonly load: () => FleetServer["load"];
}

/** A job as the tables have it. */
export interface FleetJob {
  readonly job: StoredJob;
  /** Which of the runs it is that the output belongs to. */
  readonly attempt: number;
  /** How many more runs are started if its servers are gone. */
  readonly retries: number;
  /** The queue in which it waits, unless the server that created it runs it. */
  readonly route: string | undefined;
}

/** Reads a job from its row. */
export function toFleetJob(row: Row): FleetJob {
  return {
    job: toStoredJob(row),
    attempt: Number(row.attempt),
    retries: Number(row.retries),
    route: row.route === null ? undefined : String(row.route),
  };
}

/**
 * Keeps jobs in PostgreSQL for all servers that use the same schema. A job belongs to the lease of
 * the server that runs it: once that has run out and another server has ended the job or started it
 * again, nothing that the old one does to it has an effect.
 */
export abstract class PostgresJobStore extends SqlJobStore {
  protected readonly database: PostgresDatabase;
  protected readonly changes: PostgresChanges;
  protected readonly registry: PostgresServers;
  protected readonly messages: PostgresMessages;
  readonly #days: PostgresDays;
  protected readonly identity: ServerPlace;
  readonly #lost = new Listeners<void>();
  readonly #closing = new AbortController();
  readonly heldBytes: number = 1024 * 1024;

  /** Takes a database with tables; `start()` begins. */
  protected constructor(database: PostgresDatabase, { identity, load }: PostgresStoreOptions) {
    const changes = new PostgresChanges(database, () => this.server);
    super({
      joinsOutput: false,
      removedAtOnce: 500,
      insertJob: toInsertJob(["server", "server_name", "route", "retries"]) +
        " RETURNING *",
      lockCaller: (caller) => [
        ["SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", caller],
      ],
      forgetCall: (seq) => [["DELETE FROM ~call WHERE job = $1", seq]],
      lastCount: { kept: Infinity, at: -Infinity },
      forgetJobs: (seqs) =>
        DAY_TABLES.map((table) => [
          `DELETE FROM ~${table} WHERE job = ANY ($1)`,
          seqs,
        ]),
      notify: (notice, subject) => [changes.notify(notice, subject)],
    });
    this.database = database;
    this.identity = identity;
    this.changes = changes;
    this.registry = new PostgresServers(database, identity, load, () => this.#lost.report());
    this.#days = new PostgresDays(database);
    this.messages = new PostgresMessages(database, changes, () => this.server);
  }

  get server(): string {
    return this.registry.own;
  }

  /** Registers this server, and listens for changes. */
  async start(): Promise<void> {
    await this.registry.register();
    this.changes.start();
  }

  /** Calls back if the lease of this server is lost, until disposed of. */
  onLost(listener: () => void): Disposable {
    return this.#lost.add(listener);
  }

  onChange(listener: (id: string | undefined) => void): Disposable {
    return this.changes.listen(listener);
  }

  async loseOrphans(end: OrphanEnd): Promise<GoneServer[]> {
    const reaped = await this.registry.reap((tx, server) => this.loseJobs(tx, { server }, end));
    if (reaped) this.changes.report();
    return await this.registry.gone();
  }

  async forgetServer(server: string): Promise<void> {
    await this.registry.forget(server);
  }

  async tidy(): Promise<boolean> {
    await this.registry.forgetOld();
    await this.messages.forgetOld();
    await this.#days.tidy();
    return true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.messages.close();
    await this.changes.close();
    try {
      await this.registry.close();
    } finally {
      await this.database.close();
    }
  }

  protected query(...[sql, ...values]: Statement): Promise<Row[]> {
    return this.database.query(sql, values);
  }

  protected async transact<T>(
    work: () => Work<T>,
    { waits = false }: WriteOptions = {},
  ): Promise<T> {
    const { signal } = this.#closing;
    for (let pause = PAUSE_MS.first;; pause = Math.min(2 * pause, PAUSE_MS.most)) {
      try {
        return await this.database.transaction((tx) => tx.run(work()));
      } catch (error) {
        if (!waits || !isAway(error) || signal.aborted) throw error;
      }
      using deadline = firstOf({ signal, timeoutMs: pause });
      await deadline.expired;
    }
  }

  protected *place(): Work<readonly unknown[]> {
    return [yield* this.registry.hold(), this.identity.name, null, 0];
  }

  protected report(id: string): void {
    this.changes.report(id);
  }

  /** Ends a job whose server is gone. */
  protected async loseJob(
    tx: Transaction,
    { job }: FleetJob,
    { outcomeOf, ...end }: OrphanEnd,
  ): Promise<void> {
    const outcome = outcomeOf(job.state);
    await tx.run(endJob(job, { ...end, state: "lost", outcome }, this.dialect));
  }

  /** Ends live jobs of a server; resolves with the marks of those that had begun. */
  protected async loseJobs(
    tx: Transaction,
    { server, ids }: { readonly server: string; readonly ids?: readonly string[] },
    end: OrphanEnd,
  ): Promise<string[]> {
    const rows = await tx.query(
      "SELECT * FROM ~job WHERE server = $1 AND ended IS NULL " +
        "AND ($2::text[] IS NULL OR id = ANY ($2)) FOR UPDATE",
      [server, ids ?? null],
    );
    const lost = rows.map(toFleetJob);
    for (const one of lost) {
      await this.loseJob(tx, one, end);
      await tx.all(this.dialect.notify("job", one.job.id));
    }
    return lost.map(({ job }) => job).filter(({ startedAt }) => startedAt !== undefined)
      .map(markOf);
  }
}
