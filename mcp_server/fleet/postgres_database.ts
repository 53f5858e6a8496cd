import { messageOf } from "../shared/error.ts";
import { JobError } from "../tool/job.ts";
import type { Row, Statement, Work } from "../jobs/sql.ts";

/** Runs the statements of a transaction; rejects with what `pg` throws. */
export interface Transaction {
  /** Runs one statement, in which `~` before a name is the schema of the store. */
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs statements as one; see {@linkcode Work}. */
  all(statements: readonly Statement[]): Promise<Row[]>;
  /** Runs all statements of some work. */
  run<T>(work: Work<T>): Promise<T>;
  /** Runs statements as they are. */
  raw(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  /** The name of a table as PostgreSQL has it, with `~` before it. */
  name(table: string): string;
}

/** Where the tables of jobs are. */
export interface JobsAddress {
  /** `postgres://...` */
  readonly url: string;
  /** The schema of the tables; those of pg-boss are in another one, whose name ends with `_boss`. */
  readonly schema: string;
}

/** The part of a client of `pg` that is used. */
export interface PgClient {
  connect(): Promise<unknown>;
  query(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  release(broken?: boolean): void;
  end(): Promise<void>;
  on(event: "notification", listener: (message: { payload?: string }) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "end", listener: () => void): void;
}

interface PgPool {
  connect(): Promise<PgClient>;
  query(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "connect", listener: (client: PgClient) => void): void;
}

interface PgModule {
  readonly Pool: new (config: object) => PgPool;
  readonly Client: new (config: object) => PgClient;
}

/** Connections of one server, besides the one that listens. */
const CONNECTIONS = 6;
/** How long connecting, and waiting for a free connection, may take. */
const CONNECT_MS = 5_000;
/** How long a statement may take: PostgreSQL may be gone without a word. */
const QUERY_MS = 15_000;
const IDLE_MS = 60_000;
/** How often a transaction that PostgreSQL aborted for another one's sake is run again. */
const MOST_REPEATS = 5;
/** `serialization_failure` and `deadlock_detected` (PostgreSQL manual, "Error Codes"). */
const REPEATABLE = ["40001", "40P01"];
const DISK_FULL = "53100";

/** The pool of connections to the database of the jobs; `pg` is imported when it is opened. */
export class PostgresDatabase {
  readonly schema: string;
  readonly #pool: PgPool;
  readonly #createClient: () => PgClient;
  readonly #texts = new Map<string, string>();

  private constructor(pg: PgModule, { url, schema }: JobsAddress) {
    const config = {
      connectionString: url,
      application_name: "trestle",
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      // Statements are sent before the ones before them are answered.
      pipeline: true,
      keepAlive: true,
    };
    this.schema = schema;
    this.#pool = new pg.Pool({ ...config, max: CONNECTIONS, idleTimeoutMillis: IDLE_MS });
    this.#createClient = () => new pg.Client(config);
    // A connection that breaks is replaced; who uses it, gets the error.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Creates the pool; connects when the first statement is run. */
  static async open(address: JobsAddress): Promise<PostgresDatabase> {
    const { default: pg }: { default: PgModule } = await import("pg");
    return new PostgresDatabase(pg, address);
  }

  /** Runs one statement by itself; rejects with a `JobError`. */
  async query(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#pool.query(this.#text(sql), [...values])).rows;
    } catch (error) {
      throw toJobError(error);
    }
  }

  /** Runs statements as they are; rejects with what `pg` throws. */
  async raw(sql: string, values?: unknown[]): Promise<{ rows: Row[] }> {
    return await this.#pool.query(sql, values);
  }

  /** Runs all statements of a function, or none; again if PostgreSQL aborts it for another one. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let repeats = 0;; repeats++) {
      try {
        return await this.#runTransaction(work);
      } catch (error) {
        if (repeats === MOST_REPEATS || !isRepeatable(error)) throw toJobError(error);
      }
    }
  }

  /** A client of its own, which is not connected yet. */
  createClient(): PgClient {
    return this.#createClient();
  }

  /** Closes all connections once they are free. */
  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #runTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    /** What runs, and was not waited for. */
    const sent: Promise<unknown>[] = [];
    const send = (work: Promise<unknown>) => {
      work.catch(() => {});
      sent.push(work);
    };
    const query: Transaction["query"] = async (sql, values = []) =>
      (await client.query(this.#text(sql), [...values])).rows;
    const all: Transaction["all"] = async (statements) => {
      const [sql, ...values] = toOne(statements);
      return sql === "" ? [] : await query(sql, values);
    };
    const tx: Transaction = {
      query,
      all,
      run: async (work) => {
        let step = work.next();
        while (step.done !== true) {
          if (step.value.isUnread !== true) step = work.next(await all(step.value));
          else {
            send(all(step.value));
            step = work.next([]);
          }
        }
        return step.value;
      },
      raw: (sql, values) => client.query(sql, values),
      name: (table) => this.#text(table),
    };
    let isUsable = false;
    try {
      send(client.query("BEGIN"));
      const result = await work(tx);
      // If one of the statements has failed, this rolls back.
      send(client.query("COMMIT"));
      await Promise.all(sent);
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = await client.query("ROLLBACK").then(() => true, () => false);
      // The statements after one that has failed only say so.
      const first = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
      throw first?.status === "rejected" ? first.reason : error;
    } finally {
      client.release(!isUsable);
    }
  }

  #text(sql: string): string {
    const known = this.#texts.get(sql);
    if (known !== undefined) return known;
    const text = sql.replaceAll("~", `"${this.schema}".`);
    if (this.#texts.size < MOST_TEXTS) this.#texts.set(sql, text);
    return text;
  }
}

/** More texts than are in use: only entries and pieces by the dozen have rare ones. */
const MOST_TEXTS = 200;

/** One statement that does what several do, of which none sees what another one does. */
function toOne(statements: readonly Statement[]): Statement {
  const all: unknown[] = [];
  const texts = statements.map(([sql, ...values]) => {
    const before = all.length;
    all.push(...values);
    return sql.replaceAll(/\$(\d+)/g, (_, place) => `$${before + Number(place)}`);
  });
  const last = texts.pop() ?? "";
  const others = texts.map((text, at) => `s${at} AS (${text})`).join(", ");
  return [others === "" ? last : `WITH ${others} ${last}`, ...all];
}

/** The SQLSTATE of an error of PostgreSQL, also of one that is the cause of a `JobError`. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, "code");
  if (error instanceof JobError) return sqlStateOf(error.cause);
  return typeof code === "string" ? code : undefined;
}

/** Each has a digit, and no code of a system error as long as it has one, such as `EPIPE`. */
const SQL_STATE = /^(?=.*[0-9])[0-9A-Z]{5}$/;
/** Connection exceptions, insufficient resources, operator intervention, a standby server. */
const TRANSIENT = /^(08|53|57|25006)/;

/** Whether PostgreSQL is away, or about to be: the same statement may succeed later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof JobError) || error.code !== "JOBS_UNAVAILABLE") return false;
  const state = sqlStateOf(error) ?? "";
  return !SQL_STATE.test(state) || TRANSIENT.test(state);
}

function isRepeatable(error: unknown): boolean {
  return REPEATABLE.includes(sqlStateOf(error) ?? "");
}

/** Runs what uses the database by other means; rejects with a `JobError`. */
export async function orJobError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toJobError(error);
  }
}

function toJobError(cause: unknown): unknown {
  if (cause instanceof JobError || cause instanceof RangeError) return cause;
  const code = sqlStateOf(cause) === DISK_FULL ? "STORAGE_FULL" : "JOBS_UNAVAILABLE";
  return new JobError(`Cannot keep jobs in PostgreSQL: ${reasonOf(cause)}`, { code, cause });
}

/** An attempt at several addresses has a reason for each. */
function reasonOf(cause: unknown): string {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause];
  return messageOf(first);
}
