import type { JobEnd, StoredCall, StoredJob } from "../jobs/job_store.ts";
import { type Dialect, type Row, sql, type Statement, unread, type Work } from "../jobs/sql.ts";
import { endJob, toEntries } from "../jobs/sql_jobs.ts";
import { isJsonObject } from "../shared/json.ts";
import { JobError } from "../tool/job.ts";
import { type PostgresDatabase, sqlStateOf, type Transaction } from "./postgres_database.ts";
import { queueSchema } from "./postgres_setup.ts";
import { type FleetJob, toFleetJob } from "./postgres_store.ts";

/** The part of pg-boss that is used. */
interface Boss {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean; close: boolean }): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  getQueue(name: string): Promise<object | null>;
  send(name: string, data: object, options: object): Promise<string | null>;
  fetch(name: string, options: object): Promise<{ id: string; data: unknown }[]>;
  deleteJob(name: string, ids: string[], options: object): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): void;
}

interface BossModule {
  readonly PgBoss: new (options: object) => Boss;
}

const BOSS_MODULE = new URL("./boss_module.ts", import.meta.url).href;

const HOUR_SECONDS = 3_600;
/** Messages wait as long as their jobs, which are never too old. */
const QUEUE_OPTIONS = { retentionSeconds: 20 * 365 * 24 * HOUR_SECONDS, retryLimit: 0 };

/** pg-boss runs its statements in the transaction of the job. */
function within(tx: Transaction): { db: { executeSql: Transaction["raw"] } } {
  return { db: { executeSql: (sql, values) => tx.raw(sql, values) } };
}

/** What waits in a queue. */
export interface QueueMessage {
  /** Its own id, which is that of its job; a version before this one chose another. */
  readonly id: string;
  /** The id of its job. */
  readonly job: string;
  /** Whether it is what a server has sent. */
  readonly isWhole: boolean;
}

/**
 * The queues of jobs that wait for a server: those of pg-boss. A message is the id of a job. It is sent
 * in the transaction that creates the job, and taken in the one in which a server takes the job, so
 * that there is never one without the other.
 */
export class JobQueue {
  readonly #boss: Boss;
  /** Queues that exist. */
  readonly #known = new Set<string>();

  private constructor(boss: Boss) {
    this.#boss = boss;
  }

  /** Opens the queues, and creates their tables if they are missing; pg-boss is imported here. */
  static async open(database: PostgresDatabase): Promise<JobQueue> {
    const { PgBoss }: BossModule = await import(BOSS_MODULE);
    const boss = new PgBoss({
      db: { executeSql: (sql: string, values?: unknown[]) => database.raw(sql, values) },
      schema: queueSchema(database.schema),
      createSchema: false,
      schedule: false,
      // Messages neither expire nor are kept, so there is nothing to supervise.
      supervise: false,
      registerInstance: false,
      queueCacheIntervalSeconds: HOUR_SECONDS,
      openTelemetry: { enabled: false },
    });
    // Errors of its own upkeep; those of the calls here reject.
    boss.on("error", () => {});
    await boss.start();
    return new JobQueue(boss);
  }

  /** Creates a queue if there is none. */
  async ensure(route: string): Promise<void> {
    if (this.#known.has(route)) return;
    await this.#boss.createQueue(route, QUEUE_OPTIONS);
    this.#known.add(route);
  }

  /** Whether a server has ever created the queue. */
  async has(route: string): Promise<boolean> {
    if (this.#known.has(route)) return true;
    if (await this.#boss.getQueue(route) === null) return false;
    await this.ensure(route);
    return true;
  }

  /** Sends the id of a job, which a server can take once the transaction is committed. */
  async send(tx: Transaction, route: string, job: string): Promise<void> {
    await this.#boss.send(route, { job }, { id: job, ...within(tx) });
  }

  /** Takes the messages that wait longest, to be removed; free again if the transaction fails. */
  async take(tx: Transaction, route: string, most: number): Promise<QueueMessage[]> {
    const messages = await this.#boss.fetch(route, { batchSize: most, ...within(tx) });
    return messages.map(toMessage);
  }

  /** Removes messages. */
  async remove(tx: Transaction, route: string, ids: string[]): Promise<void> {
    await this.#boss.deleteJob(route, ids, within(tx));
  }

  /** Stops what pg-boss does by itself. */
  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }
}

function toMessage({ id, data }: { readonly id: string; readonly data: unknown }): QueueMessage {
  const { job } = isJsonObject(data) ? data : {};
  return typeof job === "string" ? { id, job, isWhole: true } : { id, job: id, isWhole: false };
}

/** Thrown for what no server has written; the message has nothing of it, as it may be secret. */
class BrokenJob extends Error {
  override readonly name: string = "BrokenJob";
}

/** Throws unless a message of a queue is whole. */
export function ensureWhole({ isWhole }: { readonly isWhole: boolean }): void {
  if (!isWhole) throw new BrokenJob("its message names no job");
}

/** A job that is taken from a queue, with its call. */
export interface TakenRow extends FleetJob {
  readonly call: StoredCall;
}

/** Reads a job that is taken from a queue, and its call. Throws if either can't be read. */
export function toTaken(row: Row): TakenRow {
  return {
    ...read("its row can't be read", () => toFleetJob(row)),
    call: toCall(read("its call is not JSON", () => JSON.parse(String(row.call)))),
  };
}

function read<T>(state: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new BrokenJob(state);
  }
}

function toCall(value: unknown): StoredCall {
  const { args, meta, scopes, asAnswer, terminal } = isJsonObject(value) ? value : {};
  const isMeta = meta === undefined || isJsonObject(meta);
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [];
  const areScopes = scopes === undefined ||
    (Array.isArray(scopes) && names.length === scopes.length);
  if (args === undefined || !isMeta || !areScopes) throw new BrokenJob("its call has another form");
  return {
    args,
    meta,
    scopes: scopes === undefined ? undefined : names,
    asAnswer: asAnswer === true,
    terminal: toTerminal(terminal),
  };
}

function toTerminal(value: unknown): StoredCall["terminal"] {
  if (value === undefined) return undefined;
  const { rows, cols } = isJsonObject(value) ? value : {};
  if (typeof rows === "number" && typeof cols === "number") return { rows, cols };
  throw new BrokenJob("its terminal has another form");
}

/** Data exceptions and violated constraints (PostgreSQL manual, "Error Codes"). */
const DATA_STATE = /^2[23]/;

/** Why what is stored of a job prevents it from being taken; `undefined` if something else does. */
export function whyBroken(error: unknown): string | undefined {
  const state = sqlStateOf(error) ?? "";
  if (DATA_STATE.test(state)) return `its rows break a rule of the tables (SQLSTATE ${state})`;
  const cause = error instanceof JobError ? error.cause : error;
  return cause instanceof BrokenJob ? cause.message : undefined;
}

/**
 * Ends a queued job, whatever is stored of it; `false` if there is none of the id. Needs a
 * transaction.
 */
export function* endBroken(id: string, end: JobEnd, dialect: Dialect): Work<boolean> {
  const [row] = yield sql(
    "SELECT seq FROM ~job WHERE id = $1 AND server IS NULL AND ended IS NULL FOR UPDATE",
    id,
  );
  if (row === undefined) return false;
  const seq = Number(row.seq);
  yield sql("DELETE FROM ~outcome WHERE job = $1", seq);
  const [mended] = yield sql(
    "UPDATE ~job SET events = (SELECT coalesce(max(number), 0) FROM ~journal WHERE job = $1), " +
      "started = NULL WHERE seq = $1 RETURNING events, stdout, stderr",
    seq,
  );
  const length = { stdout: Number(mended?.stdout), stderr: Number(mended?.stderr) };
  yield* endJob({ seq, events: Number(mended?.events), length }, end, dialect);
  return true;
}

/** Keeps what a server needs to run a job. */
export function* keepCall(seq: number, call: StoredCall): Work<void> {
  yield unread([["INSERT INTO ~call (job, call) VALUES ($1, $2)", seq, JSON.stringify(call)]]);
}

/** Sends a notification with a transaction. */
export function* notified(notification: readonly Statement[]): Work<void> {
  yield unread(notification);
}

/** Makes a queued job of one that ran, for its next run: its output and progress start anew. */
export function* queueAgain({ seq, events }: StoredJob, attempt: number): Work<void> {
  yield [
    ["DELETE FROM ~output WHERE job = $1", seq],
    ["DELETE FROM ~switch WHERE job = $1", seq],
    ["DELETE FROM ~command WHERE job = $1", seq],
    [`DELETE FROM ~journal WHERE job = $1 AND entry LIKE '{"type":"progress"%'`, seq],
  ];
  const length = { stdout: 0, stderr: 0 };
  yield [["UPDATE ~journal SET stdout = 0, stderr = 0 WHERE job = $1", seq], [
    "UPDATE ~job SET server = NULL, server_name = NULL, state = 'queued', started = NULL, " +
    "waiting = NULL, asking = NULL, attempt = $2, stdout = 0, stderr = 0, events = $3 WHERE seq = $1",
    seq,
    attempt,
    events + 1,
  ], ...toEntries({ seq, events, length }, [{ type: "state", state: "queued" }])];
}
