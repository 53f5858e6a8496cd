import { ANY_ROUTE, type FleetServer, routesOf } from "../tool/fleet.ts";
import type { Creation, JobEnd, JobStore, NewJob, OrphanEnd } from "../jobs/job_store.ts";
import type { BrokenJob, Dispatch, FleetStore, TakenJob } from "./fleet_store.ts";
import type { RunStore } from "../jobs/late_store.ts";
import { endBroken, ensureWhole, toTaken, whyBroken } from "./broken_job.ts";
import { JobQueue, type QueueMessage } from "./job_queue.ts";
import { isCancelAsked } from "./postgres_commands.ts";
import { insertJob } from "./postgres_creation.ts";
import {
  type JobsAddress,
  orJobError,
  PostgresDatabase,
  type Queryable,
} from "./postgres_database.ts";
import { endJob } from "./postgres_end.ts";
import { addEntries } from "./postgres_journal.ts";
import { queueAgain } from "./postgres_rerun.ts";
import { JOB_COLUMNS, type PostgresJob, toPostgresJob, toStoredJob } from "./postgres_rows.ts";
import { PostgresJobStore, type PostgresStoreOptions } from "./postgres_store.ts";
import { ensureTables, withRights } from "./postgres_setup.ts";

/** The jobs of a fleet: whichever server has room takes them from the queues of pg-boss. */
export class PostgresFleet extends PostgresJobStore implements FleetStore {
  readonly #queue: JobQueue;
  readonly #routes: readonly string[];
  #isTaking = true;
  /** Jobs that were in the store, but did not run here, when `reclaim()` last looked. */
  #unclaimed: ReadonlySet<string> = new Set();

  private constructor(
    database: PostgresDatabase,
    queue: JobQueue,
    options: PostgresStoreOptions,
  ) {
    super(database, options);
    this.#queue = queue;
    this.#routes = routesOf(options.identity);
  }

  /**
   * Connects, creates the tables and queues that are missing, and registers the server. Rejects with a
   * `JobSetupError` if the role may not create them, and with a `JobError`.
   */
  static async open(address: JobsAddress, options: PostgresStoreOptions): Promise<PostgresFleet> {
    await using stack = new AsyncDisposableStack();
    const database = await PostgresDatabase.open(address);
    stack.defer(() => database.close());
    await ensureTables(database);
    const queue = await withRights(
      database,
      () => orJobError(() => JobQueue.open(database)),
    );
    stack.defer(() => queue.close());
    const fleet = new PostgresFleet(database, queue, options);
    await orJobError(async () => {
      for (const route of fleet.#routes) await queue.ensure(route);
    });
    await fleet.start();
    stack.move();
    return fleet;
  }

  hasRoute(route: string): Promise<boolean> {
    return orJobError(() => this.#queue.has(route));
  }

  async dispatch(
    job: NewJob,
    { route, retries, call }: Dispatch,
    maxJobs: number,
  ): Promise<Creation> {
    return await this.insert(job, maxJobs, async (tx) => {
      const created = await insertJob(tx, job, { route, retries });
      if (created === undefined) return undefined;
      const insert = "INSERT INTO ~call (job, call) VALUES ($1, $2)";
      await tx.query(insert, [created.seq, JSON.stringify(call)]);
      await this.#send(tx, route, job.id);
      return created;
    });
  }

  async take(most: number, endOf: (broken: BrokenJob) => JobEnd): Promise<TakenJob[]> {
    const taken: TakenJob[] = [];
    try {
      for (const route of this.#routes) {
        for (let isMore = true; isMore && this.#isTaking && taken.length < most;) {
          // Messages of jobs that were cancelled may be before others.
          isMore = await this.#takeFrom(route, { most: most - taken.length, taken, endOf }) > 0;
        }
      }
    } catch (error) {
      // What was taken runs; the next look meets the error again.
      if (taken.length === 0) throw error;
    }
    return taken;
  }

  stopTaking(): void {
    this.#isTaking = false;
    this.registry.drain();
  }

  onWork(listener: () => void): Disposable {
    return this.changes.onWork((route) => {
      if (route === undefined || this.#routes.includes(route)) listener();
    });
  }

  async endQueued(id: string, end: JobEnd): Promise<boolean> {
    const ended = await this.database.transaction(async (tx) => {
      const [row] = await tx.query(
        `SELECT ${JOB_COLUMNS} FROM ~job WHERE id = $1 AND server IS NULL AND ended IS NULL ` +
          "FOR UPDATE",
        [id],
      );
      if (row === undefined) return false;
      await endJob(tx, toPostgresJob(row), end);
      await this.changes.notify(tx, "job", id);
      return true;
    });
    if (ended) this.changes.report(id);
    return ended;
  }

  async reclaim(ids: ReadonlySet<string>, end: OrphanEnd): Promise<void> {
    const rows = await this.database.query(
      "SELECT id FROM ~job WHERE server = $1 AND ended IS NULL",
      [this.server],
    );
    const unclaimed = rows.map((row) => String(row.id)).filter((id) => !ids.has(id));
    // A job that has just been taken is not among the ids yet.
    const lost = unclaimed.filter((id) => this.#unclaimed.has(id));
    this.#unclaimed = new Set(unclaimed);
    if (lost.length > 0) await this.loseJobs({ server: this.server, ids: lost }, end);
  }

  async servers(): Promise<FleetServer[]> {
    return await this.registry.alive();
  }

  override async close(): Promise<void> {
    await this.#queue.close();
    await super.close();
  }

  /** Jobs that may be started again are queued once more, the others end. */
  protected override async loseJob(
    tx: Queryable,
    job: PostgresJob,
    end: OrphanEnd,
  ): Promise<void> {
    if (job.route === undefined || job.attempt > job.retries) {
      return await super.loseJob(tx, job, end);
    }
    await queueAgain(tx, job, "died");
    await this.#send(tx, job.route, job.id);
  }

  async #send(tx: Queryable, route: string, id: string): Promise<void> {
    await this.#queue.send(tx, route, id);
    await this.changes.notify(tx, "work", route);
  }

  /** Takes jobs of one queue, one by one if one of them is broken; resolves with how many waited. */
  async #takeFrom(
    route: string,
    { most, taken, endOf }: {
      readonly most: number;
      readonly taken: TakenJob[];
      readonly endOf: (broken: BrokenJob) => JobEnd;
    },
  ): Promise<number> {
    let messages: readonly QueueMessage[] = [];
    try {
      taken.push(
        ...await this.#takeAtOnce(route, most, (found) => {
          messages = found;
        }),
      );
    } catch (error) {
      const reason = whyBroken(error);
      const [first] = messages;
      if (reason === undefined || first === undefined) throw error;
      if (messages.length === 1) await this.#endBroken(route, first, { reason, endOf });
      else for (const _ of messages) await this.#takeFrom(route, { most: 1, taken, endOf });
    }
    return messages.length;
  }

  async #takeAtOnce(
    route: string,
    most: number,
    onFound: (messages: readonly QueueMessage[]) => void,
  ): Promise<TakenJob[]> {
    const server = this.server;
    const taken = await this.database.transaction(async (tx) => {
      const messages = await this.#queue.take(tx, route, most);
      onFound(messages);
      if (messages.length === 0) return [];
      for (const message of messages) ensureWhole(message);
      await this.registry.hold(tx);
      const rows = await tx.query(
        "UPDATE ~job SET server = $1, server_name = $2, state = 'running', started = $3 " +
          "WHERE id = ANY ($4) AND state = 'queued' AND server IS NULL " +
          `RETURNING ${JOB_COLUMNS}, (SELECT call FROM ~call WHERE call.job = job.seq) AS call`,
        [server, this.identity.name, Date.now(), messages.map(({ job }) => job)],
      );
      const jobs = rows.map(toTaken);
      for (const { job } of jobs) {
        await addEntries(tx, job, [{ type: "state", state: "running" }]);
        await this.changes.notify(tx, "job", job.id);
      }
      await forgetCalls(tx, jobs.map(({ job }) => job));
      return jobs;
    });
    for (const { job } of taken) this.changes.report(job.id);
    return taken.map(({ job, call }) => ({
      job: toStoredJob(job),
      call,
      store: this.#runOf(job, server),
    }));
  }

  async #endBroken(
    route: string,
    { id, job }: QueueMessage,
    { reason, endOf }: {
      readonly reason: string;
      readonly endOf: (broken: BrokenJob) => JobEnd;
    },
  ): Promise<void> {
    const end = endOf({ id: job, reason });
    await this.database.transaction(async (tx) => {
      await this.#queue.remove(tx, route, [id]);
      if (await endBroken(tx, job, end)) await this.changes.notify(tx, "job", job);
    });
    this.changes.report(job);
  }

  /** Writes for one run of a job, which `take()` has begun already. */
  #runOf({ attempt, retries, route }: PostgresJob, server: string): RunStore {
    const owner = { server, attempt };
    const giveBack = (id: string, cancelled: JobEnd) =>
      this.writes.change(id, owner, async (tx, job) => {
        if (await isCancelAsked(tx, job)) return await endJob(tx, job, cancelled);
        await queueAgain(tx, job, "stopped");
        await this.#send(tx, route ?? ANY_ROUTE, id);
      });
    const bound: Pick<JobStore, "append" | "note" | "end"> = {
      append: (id, pieces) => this.writes.append(id, pieces, owner),
      note: (id, entries) => this.writes.note(id, entries, owner),
      end: (id, end) => this.writes.end(id, end, owner),
    };
    return {
      ...bound,
      ...(attempt > retries ? {} : { giveBack }),
      server,
      begin: () => Promise.resolve(true),
      heldBytes: this.heldBytes,
    };
  }
}

/** Arguments may be secret: they are kept only as long as the job may be started again. */
async function forgetCalls(tx: Queryable, jobs: readonly PostgresJob[]): Promise<void> {
  const last = jobs.filter(({ attempt, retries }) => attempt > retries).map(({ seq }) => seq);
  if (last.length > 0) await tx.query("DELETE FROM ~call WHERE job = ANY ($1)", [last]);
}
