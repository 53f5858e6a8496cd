import { type PostgresDatabase, sqlStateOf, type Transaction } from "./postgres_database.ts";

/** The tables with what jobs leave, which have a partition for each day. */
export const DAY_TABLES = ["output", "journal", "outcome", "kept_call", "switch"] as const;
/** How many days from today on have partitions: a server that hangs must not find none. */
const DAYS_AHEAD = 3;
/** How often the days are looked at. */
const EVERY_MS = 10 * 60_000;
/** How long a table that others use may be waited for, which keep others waiting meanwhile. */
const LOCK_TIMEOUT = "1s";
/** `lock_not_available` (PostgreSQL manual, "Error Codes"). */
const LOCK_NOT_AVAILABLE = "55P03";
/** A partition lives for days: it is dropped before vacuum would be of use. */
const STORAGE = "autovacuum_vacuum_insert_threshold = -1, " +
  "toast.autovacuum_vacuum_insert_threshold = -1";

/**
 * How many jobs a day may have. The number of a job, by which the tables are partitioned, is that of
 * its day (days since 1970, UTC) times this, and a count.
 */
export const JOBS_OF_DAY = 1_000_000_000;

/** Today, by the clock of PostgreSQL. */
const TODAY = "floor(extract(epoch FROM now()) / 86400)::bigint";

/** What numbers a new job. */
export const NEXT_SEQ = `${TODAY} * ${JOBS_OF_DAY} + nextval('~job_number')`;

/**
 * The days of the jobs: what jobs leave is in partitions of the day of their creation, and is dropped
 * with these once no job of the day is kept. So nothing that expires is deleted by rows.
 */
export class PostgresDays {
  readonly #database: PostgresDatabase;
  #lookedAt = -Infinity;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** Creates the partitions of the next days, and drops those of days without jobs; from time to time. */
  async tidy(): Promise<void> {
    if (performance.now() - this.#lookedAt < EVERY_MS) return;
    await this.#database.transaction(ensureDays);
    this.#lookedAt = performance.now();
    for (const day of await this.#emptyDays()) await this.#drop(day);
  }

  /** The days before yesterday of which no job is kept: a transaction may have begun before midnight. */
  async #emptyDays(): Promise<number[]> {
    const rows = await this.#database.query(
      "WITH days AS MATERIALIZED (SELECT split_part(relname, '_', 2)::bigint AS day " +
        "FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid " +
        `WHERE inhparent = $1::regclass) SELECT day FROM days WHERE day < ${TODAY} - 1 ` +
        `AND NOT EXISTS (SELECT FROM ~job WHERE seq >= day * ${JOBS_OF_DAY} ` +
        `AND seq < (day + 1) * ${JOBS_OF_DAY}) ORDER BY day`,
      [`"${this.#database.schema}".output`],
    );
    return rows.map(({ day }) => Number(day));
  }

  /** Drops what the jobs of a day have left, unless something else reads it: then the next time. */
  async #drop(day: number): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        await lockDays(tx);
        for (const table of DAY_TABLES) await tx.query(`DROP TABLE IF EXISTS ~${table}_${day}`);
      });
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    }
  }
}

/** Creates the partitions of today and the next days that are missing. */
export async function ensureDays(tx: Transaction): Promise<void> {
  await lockDays(tx);
  const [row] = await tx.query(`SELECT ${TODAY} AS today`);
  const today = Number(row?.today);
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    for (const table of DAY_TABLES) await ensurePartition(tx, table, day);
  }
}

async function ensurePartition(tx: Transaction, table: string, day: number): Promise<void> {
  const name = `~${table}_${day}`;
  const [row] = await tx.query("SELECT to_regclass($1) IS NULL AS missing", [tx.name(name)]);
  if (row?.missing !== true) return;
  // Attaching keeps nobody waiting who reads or writes, as creating a partition would.
  await tx.query(`CREATE TABLE ${name} (LIKE ~${table} INCLUDING ALL) WITH (${STORAGE})`);
  const [from, to] = [day, day + 1].map((each) => each * JOBS_OF_DAY);
  await tx.query(
    `ALTER TABLE ~${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
  );
}

/** One server at a time changes the days; the others wait, as long as that takes. */
async function lockDays(tx: Transaction): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", [tx.name("~output")]);
  await tx.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
}
