import type { OutputStream } from "../tool/command.ts";
import type {
  AddressedCommand,
  Creation,
  GoneServer,
  JobCommand,
  JobEnd,
  JobRun,
  JobStore,
  JournalEntry,
  LastWrites,
  MarkedPlace,
  NewJob,
  NumberedEntry,
  OrphanEnd,
  OutputPiece,
  OutputPlace,
  StoredJob,
  StoreQuery,
} from "./job_store.ts";
import type { EndedCallRecord } from "../tool/fleet_desk.ts";
import type { ShownQuestions } from "../tool/job.ts";
import type { CallOutcome } from "../tool/result.ts";
import {
  type Dialect,
  type Row,
  sql,
  type Statement,
  toNumberedEntry,
  toOutcome,
  toStoredJob,
  unread,
  type Work,
} from "./sql.ts";
import {
  addEndedCalls,
  addEntries,
  beginJob,
  commandsFor,
  endJob,
  holdJob,
  insertJob,
  sendCommand,
  setQuestions,
  takeCommands,
  whyNotNew,
} from "./sql_jobs.ts";
import { appendOutput, selectOutput, selectSwitches, toPieces, toPlace } from "./sql_output.ts";

/** Every id has this form; PostgreSQL refuses others, such as one with U+0000. */
const ID = /^[0-9a-f-]{36}$/;

/** What a job has left may outlive it for a while. */
const IS_KEPT = "EXISTS (SELECT 1 FROM ~job WHERE seq = $1)";
/** How many numbers of jobs are remembered. */
const MOST_SEQS = 1_000;

/** What is done if a transaction fails at first. */
export interface WriteOptions {
  /** Needs more space, and so may not use the reserve for a full disk. @default {false} */
  readonly grows?: boolean;
  /** Waits for a database that is away, however long. @default {false} */
  readonly waits?: boolean;
}

/** Calls back whoever listens. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Calls back until disposed of; one callback can be registered twice. */
  add(listener: (value: T) => void): Disposable {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  /** Calls all back. */
  report(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
}

/**
 * Keeps jobs in tables that several servers share; what databases do in different ways is left to
 * the classes that extend it: connections and transactions, and how servers notice changes of others
 * and that one is gone.
 */
export abstract class SqlJobStore implements JobStore {
  /** Identity of this server in the store. */
  abstract readonly server: string;
  /** Where the database differs. */
  protected readonly dialect: Dialect;
  /** Numbers of jobs that were found. */
  readonly #seqs = new Map<string, number>();

  protected constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  /** Runs a statement that only reads. */
  protected abstract query(...statement: Statement): Promise<Row[]>;

  /** Runs all statements of a transaction, or none; perhaps several times, until one succeeds. */
  protected abstract transact<T>(work: () => Work<T>, options?: WriteOptions): Promise<T>;

  /** The values that say who runs a new job: this server, which must be alive. */
  protected abstract place(): Work<readonly unknown[]>;

  /** Reports a change of this server, once it is committed. */
  protected abstract report(id: string): void;

  abstract onChange(listener: (id: string | undefined) => void): Disposable;
  abstract loseOrphans(end: OrphanEnd): Promise<GoneServer[]>;
  abstract forgetServer(server: string): Promise<void>;
  abstract tidy(): Promise<boolean>;
  abstract close(): Promise<void>;

  async create(job: NewJob, maxJobs: number): Promise<Creation> {
    const { dialect } = this;
    const place = () => this.place();
    const create = function* (): Work<Creation | undefined> {
      const refused = yield* whyNotNew(job, maxJobs, dialect);
      if (refused !== undefined) return refused;
      const created = yield* insertJob(job, yield* place(), dialect);
      return created === undefined ? undefined : { kind: "created", job: created };
    };
    const creation = await untilCreated(() => this.transact(create, { grows: true }));
    if (creation.kind === "created") this.report(job.id);
    return creation;
  }

  async find(id: string): Promise<StoredJob | undefined> {
    if (!ID.test(id)) return undefined;
    const [row] = await this.query("SELECT * FROM ~job WHERE id = $1", id);
    if (row === undefined) return undefined;
    const job = toStoredJob(row);
    this.#remember(job);
    return job;
  }

  async keptCall(id: string): Promise<string | undefined> {
    const [row] = await this.query(
      "SELECT kept FROM ~kept_call WHERE job = (SELECT seq FROM ~job WHERE id = $1)",
      id,
    );
    return row === undefined ? undefined : String(row.kept);
  }

  async outcome(id: string): Promise<CallOutcome | undefined> {
    const [row] = await this.query(
      `SELECT outcome FROM ~outcome WHERE job = $1 AND ${IS_KEPT}`,
      await this.#seqOf(id),
    );
    return row === undefined ? undefined : toOutcome(String(row.outcome));
  }

  async list(query: StoreQuery): Promise<StoredJob[]> {
    const { caller, state, outcome, tool, search, limit, before, now } = query;
    const conditions = ["(expires IS NULL OR expires > $1)"];
    const values: unknown[] = [now];
    const where = (condition: string, value: unknown) => {
      if (value !== undefined) conditions.push(`${condition} $${values.push(value)}`);
    };
    where("caller =", caller);
    where("state =", state);
    where("tool =", tool);
    if (outcome !== undefined) {
      const [ended, told] = [values.push(outcome), values.push(`{"outcome":"${outcome}"%`)];
      conditions.push(`(state = $${ended} OR (state = 'completed' AND ending LIKE $${told}))`);
    }
    if (search !== undefined) {
      const text = search.toLowerCase().replaceAll(/[!%_]/g, "!$&");
      const [within, first] = [values.push(`%${text}%`), values.push(`${text}%`)];
      const found = `lower(coalesce(title, tool)) LIKE $${within} ESCAPE '!'`;
      conditions.push(`(${found} OR id LIKE $${first} ESCAPE '!')`);
    }
    where("seq <", before);
    const which = `${conditions.join(" AND ")} ORDER BY seq DESC LIMIT $${values.push(limit)}`;
    return (await this.query(`SELECT * FROM ~job WHERE ${which}`, ...values)).map(toStoredJob);
  }

  begin(id: string, startedAt: number, run?: JobRun): Promise<boolean> {
    return this.#change(id, run, (job) => beginJob(job, startedAt), { waits: true });
  }

  append(
    id: string,
    pieces: readonly OutputPiece[],
    run?: JobRun,
    switches: readonly MarkedPlace[] = [],
  ): Promise<boolean> {
    const { dialect } = this;
    const append = function* (job: StoredJob): Work<void> {
      yield* appendOutput(job, pieces, switches, dialect);
    };
    return this.#change(id, run, append, { grows: true, waits: true });
  }

  note(id: string, entries: readonly JournalEntry[], run?: JobRun): Promise<boolean> {
    return this.#change(id, run, (job) => addEntries(job, entries), { waits: true });
  }

  ask(id: string, questions: ShownQuestions, run?: JobRun): Promise<boolean> {
    return this.#change(id, run, (job) => setQuestions(job, questions), { waits: true });
  }

  end(id: string, end: JobEnd, run?: JobRun, rest?: LastWrites): Promise<boolean> {
    const { dialect } = this;
    const work = function* (job: StoredJob): Work<void> {
      if (rest === undefined) return yield* endJob(job, end, dialect);
      const { pieces, switches, entries } = rest;
      const length = pieces.length === 0
        ? job.length
        : yield* appendOutput(job, pieces, switches, dialect);
      yield* addEntries({ ...job, length }, entries);
      yield* endJob({ ...job, length, events: job.events + entries.length }, end, dialect);
    };
    return this.#change(id, run, work, { grows: rest !== undefined });
  }

  async read(
    id: string,
    stream: OutputStream,
    bounds: { from: number; to: number },
  ): Promise<OutputPiece[]> {
    const seq = await this.#seqOf(id);
    return toPieces(await this.query(...selectOutput(seq, stream, bounds)), stream, bounds);
  }

  async switches(id: string, { stdout, stderr }: OutputPlace): Promise<MarkedPlace[]> {
    return (await this.query(...selectSwitches(id, { stdout, stderr }))).map(toPlace);
  }

  async journal(id: string, after: number): Promise<NumberedEntry[]> {
    const rows = await this.query(
      "SELECT number, stdout, stderr, entry FROM ~journal " +
        `WHERE job = $1 AND number > $2 AND ${IS_KEPT} ORDER BY number`,
      await this.#seqOf(id),
      after,
    );
    return rows.map(toNumberedEntry);
  }

  async remove(id: string): Promise<boolean> {
    const { dialect } = this;
    const removed = await this.transact(function* () {
      const rows = yield sql(
        "DELETE FROM ~job WHERE id = $1 AND ended IS NOT NULL RETURNING seq",
        id,
      );
      if (rows.length === 0) return false;
      yield unread(dialect.forgetJobs(rows.map(({ seq }) => Number(seq))));
      yield unread(dialect.notify("job", id));
      return true;
    });
    if (removed) this.report(id);
    return removed;
  }

  removeExpired(now: number): Promise<number> {
    const { removedAtOnce } = this.dialect;
    return this.transact(function* () {
      const removed = yield sql(
        "DELETE FROM ~job WHERE seq IN (SELECT seq FROM ~job WHERE ended IS NOT NULL " +
          "AND expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1",
        now,
        removedAtOnce,
      );
      return removed.length;
    });
  }

  send(id: string, command: JobCommand): Promise<void> {
    const known = ID.test(id) ? id : "";
    return this.transact(() => sendCommand(known, command, this.dialect), { grows: true });
  }

  async takeCommands(full: ReadonlySet<string> = new Set()): Promise<AddressedCommand[]> {
    const { server } = this;
    // Most changes are no commands, and reading locks nothing.
    const waiting = await this.query(`SELECT 1 ${commandsFor(full)} LIMIT 1`, server, ...full);
    if (waiting.length === 0) return [];
    return await this.transact(() => takeCommands(server, full));
  }

  addEndedCalls(calls: readonly EndedCallRecord[], most: number): Promise<void> {
    return this.transact(() => addEndedCalls(calls, most), { grows: true });
  }

  async endedCalls(caller: string | undefined, most: number): Promise<EndedCallRecord[]> {
    const [which, ...values] = caller === undefined ? [""] : ["WHERE caller = $2 ", caller];
    const rows = await this.query(
      `SELECT call FROM ~ended_call ${which}ORDER BY seq DESC LIMIT $1`,
      most,
      ...values,
    );
    return rows.map(({ call }) => JSON.parse(String(call)));
  }

  /** The number of a job, by which its partition is known; 0 if there is none. */
  async #seqOf(id: string): Promise<number> {
    return this.#seqs.get(id) ?? (await this.find(id))?.seq ?? 0;
  }

  #remember({ id, seq }: StoredJob): void {
    const [oldest] = this.#seqs.keys();
    if (oldest !== undefined && this.#seqs.size >= MOST_SEQS) this.#seqs.delete(oldest);
    this.#seqs.set(id, seq);
  }

  /** Changes a live job of a run, by default its first one here; `false` if there is none. */
  async #change(
    id: string,
    run: JobRun | undefined,
    work: (job: StoredJob) => Work<void>,
    options?: WriteOptions,
  ): Promise<boolean> {
    const { dialect } = this;
    const { server, attempt } = run ?? { server: this.server, attempt: 1 };
    const changed = await this.transact(function* () {
      const row = yield* holdJob(id, { server, attempt });
      if (row === undefined) return false;
      yield* work(toStoredJob(row));
      yield unread(dialect.notify("job", id));
      return true;
    }, options);
    if (changed) this.report(id);
    return changed;
  }
}

/** Repeats a creation that another server forestalled: the next one finds the job with its key. */
export async function untilCreated(
  create: () => Promise<Creation | undefined>,
): Promise<Creation> {
  for (;;) {
    const creation = await create();
    if (creation !== undefined) return creation;
  }
}
