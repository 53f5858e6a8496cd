import { ANY_ROUTE, type FleetServer, routesOf } from "../tool/job.ts";
import type {
  BrokenJob,
  Creation,
  Dispatch,
  FleetStore,
  JobEnd,
  NewJob,
  OrphanEnd,
  Peer,
  StoredJob,
  TakenJob,
} from "../jobs/job_store.ts";
import { sql, toStoredJob, unread, type Work } from "../jobs/sql.ts";
import { endJob, holdJob, insertJob, toEntries, whyNotNew } from "../jobs/sql_jobs.ts";
import { untilCreated } from "../jobs/sql_store.ts";
import {
  endBroken,
  ensureWhole,
  JobQueue,
  keepCall,
  notified,
  queueAgain,
  type QueueMessage,
  type TakenRow,
  toTaken,
  whyBroken,
} from "./job_queue.ts";
import {
  type JobsAddress,
  orJobError,
  PostgresDatabase,
  type Transaction,
} from "./postgres_database.ts";
import { ensureTables, withRights } from "./postgres_setup.ts";
import { HELD_SERVER } from "./postgres_servers.ts";
import {
  type FleetJob,
  PostgresJobStore,
  type PostgresStoreOptions,
  toFleetJob,
} from "./postgres_store.ts";
import { WaitingWork } from "./waiting_work.ts";

/** How long a server may take to hear that a job is its own: twice what a statement may take. */
const ANSWER_MS = 30_000;

/** The jobs of a fleet: whichever server has room takes them from the queues of pg-boss. */
export class PostgresFleet extends PostgresJobStore implements FleetStore {
  readonly #queue: JobQueue;
  readonly #routes: readonly string[];
  readonly #work: WaitingWork;
  #isTaking = true;
  /** Jobs that were in the store, but did not run here, when `reclaim()` last looked, and since when. */
  #unclaimed: ReadonlyMap<string, number> = new Map();

  private constructor(database: PostgresDatabase, queue: JobQueue, options: PostgresStoreOptions) {
    super(database, options);
    this.#queue = queue;
    this.#routes = routesOf(options.identity);
    this.#work = new WaitingWork(this.changes, this.#routes);
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
    const queue = await withRights(database, () => orJobError(() => JobQueue.open(database)));
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
    const { dialect } = this;
    return await untilCreated(() =>
      this.database.transaction(async (tx): Promise<Creation | undefined> => {
        const refused = await tx.run(whyNotNew(job, maxJobs, dialect));
        if (refused !== undefined) return refused;
        const created = await tx.run(insertJob(job, [null, null, route, retries], dialect));
        if (created === undefined) return undefined;
        await tx.run(keepCall(created.seq, call));
        await this.#send(tx, route, job.id);
        return { kind: "created", job: created };
      })
    );
  }

  async take(most: number, endOf: (broken: BrokenJob) => JobEnd): Promise<TakenJob[]> {
    const taken: TakenJob[] = [];
    try {
      for (const route of this.#routes) {
        while (this.#isTaking && taken.length < most && this.#work.take(route)) {
          const room = most - taken.length;
          // Messages of jobs that were cancelled may be before others. If fewer than there is room for
          // are found, no more wait, unless a server that takes them fails: then it or a look every few
          // seconds finds them.
          const found = await this.#takeFrom(route, room, taken, endOf);
          if (found === room) this.#work.add(route);
        }
        // They run before the next queue is asked.
        if (taken.length > 0) break;
      }
    } catch (error) {
      this.#work.add(...this.#routes);
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
    return this.#work.listen(listener);
  }

  async passOn(): Promise<void> {
    for (const statement of this.#work.passOn()) await this.query(...statement);
  }

  async endQueued(id: string, end: JobEnd): Promise<boolean> {
    const { dialect } = this;
    const ended = await this.transact(function* () {
      const [row] = yield sql(
        "SELECT * FROM ~job WHERE id = $1 AND server IS NULL AND ended IS NULL FOR UPDATE",
        id,
      );
      if (row === undefined) return false;
      yield* endJob(toStoredJob(row), end, dialect);
      yield unread(dialect.notify("job", id));
      return true;
    });
    if (ended) this.report(id);
    return ended;
  }

  async setWaiting(
    { id, server, attempt }: StoredJob,
    waiting: StoredJob["waiting"],
  ): Promise<void> {
    const { dialect } = this;
    await this.transact(function* () {
      yield sql(
        "UPDATE ~job SET waiting = $4 WHERE id = $1 AND server = $2 AND attempt = $3 " +
          "AND ended IS NULL",
        id,
        server,
        attempt,
        waiting ?? null,
      );
      yield unread(dialect.notify("job", id));
    });
    this.report(id);
  }

  async giveBack(given: StoredJob, cancelled: JobEnd): Promise<boolean> {
    const { dialect } = this;
    const { id, server = this.server, attempt = 1 } = given;
    const isOver = await this.database.transaction(async (tx) => {
      const row = await tx.run(holdJob(id, { server, attempt }));
      if (row === undefined) return false;
      const { job, route = ANY_ROUTE } = toFleetJob(row);
      const asked = await tx.query(
        "SELECT FROM ~command WHERE job = $1 AND kind = 'cancel' LIMIT 1",
        [job.seq],
      );
      if (asked.length > 0) {
        await tx.run(endJob(job, cancelled, dialect));
      } else {
        await tx.run(queueAgain(job, attempt));
        await this.#send(tx, route, id);
      }
      await tx.run(notified(dialect.notify("job", id)));
      return true;
    });
    if (isOver) this.report(id);
    return isOver;
  }

  async reclaim(ids: ReadonlySet<string>, end: OrphanEnd): Promise<void> {
    const rows = await this.database.query(
      "SELECT id FROM ~job WHERE server = $1 AND ended IS NULL",
      [this.server],
    );
    const { endedAt: now } = end;
    const unclaimed = rows.map((row) => String(row.id)).filter((id) => !ids.has(id));
    this.#unclaimed = new Map(unclaimed.map((id) => [id, this.#unclaimed.get(id) ?? now]));
    // A job that has just been taken is not among the ids yet.
    const lost = unclaimed.filter((id) => now - (this.#unclaimed.get(id) ?? now) >= ANSWER_MS);
    if (lost.length === 0) return;
    const jobs = { server: this.server, ids: lost };
    await this.database.transaction((tx) => this.loseJobs(tx, jobs, end));
  }

  async servers(): Promise<FleetServer[]> {
    return await this.registry.alive();
  }

  get answersWithinMs(): number {
    return this.messages.answersWithinMs;
  }

  async peers(): Promise<Peer[]> {
    return await this.registry.others();
  }

  async post(servers: readonly string[], message: string): Promise<void> {
    await this.messages.post(servers, message);
  }

  async reply(server: string, message: string): Promise<void> {
    await this.messages.reply(server, message);
  }

  lookForMessages(): void {
    this.messages.look();
  }

  onMessage(listener: (message: string) => void): Disposable {
    return this.messages.listen(listener);
  }

  override async close(): Promise<void> {
    this.#work.close();
    await this.#queue.close();
    await super.close();
  }

  /** Jobs that may be started again are queued once more, the others end. */
  protected override async loseJob(tx: Transaction, lost: FleetJob, end: OrphanEnd): Promise<void> {
    const { job, attempt, retries, route } = lost;
    if (route === undefined || attempt > retries) return await super.loseJob(tx, lost, end);
    await tx.run(queueAgain(job, attempt + 1));
    await this.#send(tx, route, job.id);
  }

  async #send(tx: Transaction, route: string, id: string): Promise<void> {
    await this.#queue.send(tx, route, id);
    await tx.run(notified([this.#work.wake(route)]));
  }

  /** Takes jobs of one queue, one by one if one of them is broken; resolves with how many waited. */
  async #takeFrom(
    route: string,
    most: number,
    taken: TakenJob[],
    endOf: (broken: BrokenJob) => JobEnd,
  ): Promise<number> {
    let messages: readonly QueueMessage[] = [];
    try {
      taken.push(...await this.#takeAtOnce(route, most, (found) => messages = found));
    } catch (error) {
      const reason = whyBroken(error);
      const [first] = messages;
      if (reason === undefined || first === undefined) throw error;
      if (messages.length === 1) {
        await this.#endBroken(route, first, endOf({ id: first.job, reason }));
      } else for (const _ of messages) await this.#takeFrom(route, 1, taken, endOf);
    }
    return messages.length;
  }

  async #takeAtOnce(
    route: string,
    most: number,
    onFound: (messages: readonly QueueMessage[]) => void,
  ): Promise<TakenJob[]> {
    const taken = await this.database.transaction(async (tx) => {
      const messages = await this.#queue.take(tx, route, most);
      onFound(messages);
      if (messages.length === 0) return [];
      for (const message of messages) ensureWhole(message);
      const [begun] = await Promise.all([
        tx.run(this.#begin(messages.map(({ job }) => job))),
        this.#queue.remove(tx, route, messages.map(({ id }) => id)),
      ]);
      return begun;
    });
    for (const { job } of taken) this.report(job.id);
    return taken.map(({ job, call, attempt, retries }) => {
      return { job, call, isRepeatable: attempt <= retries };
    });
  }

  /** Takes queued jobs for this server, of which each runs from now on. */
  *#begin(ids: readonly string[]): Work<TakenRow[]> {
    const rows = yield sql(
      `WITH own AS MATERIALIZED (${HELD_SERVER}) ` +
        "UPDATE ~job SET server = $1, server_name = $2, state = 'running', started = $3, " +
        "events = events + 1 FROM own WHERE job.id = ANY ($4) AND state = 'queued' " +
        "AND server IS NULL " +
        "RETURNING job.*, (SELECT call FROM ~call WHERE call.job = job.seq) AS call",
      this.registry.own,
      this.identity.name,
      Date.now(),
      ids,
    );
    // Without a lease, none is taken.
    if (rows.length === 0) yield* this.registry.hold();
    const taken = rows.map(toTaken);
    // Arguments may be secret: they are kept only as long as the job may be started again.
    const last = taken.filter(({ attempt, retries }) => attempt > retries);
    yield unread([
      ...taken.flatMap(({ job }) =>
        toEntries({ ...job, events: job.events - 1 }, [{ type: "state", state: "running" }])
      ),
      ["DELETE FROM ~call WHERE job = ANY ($1)", last.map(({ job }) => job.seq)],
    ]);
    for (const { job } of taken) yield unread(this.dialect.notify("job", job.id));
    return taken;
  }

  async #endBroken(
    route: string,
    { id, job }: QueueMessage,
    end: JobEnd,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.#queue.remove(tx, route, [id]);
      const { dialect } = this;
      if (await tx.run(endBroken(job, end, dialect))) {
        await tx.all(dialect.notify("job", job));
      }
    });
    this.report(job);
  }
}
