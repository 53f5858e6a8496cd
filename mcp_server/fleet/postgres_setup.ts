import { JobError, JobSetupError } from "../tool/job.ts";
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

/** The schema of pg-boss beside the one of the tables. */
export function queueSchema(schema: string): string {
  return `${schema}_boss`;
}

/** What PostgreSQL answers if the role may not do something. */
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Creates both schemas and the tables of jobs, or brings them to this version, under a lock that all
 * servers share. Rejects with a `JobSetupError` if the role may not, and with a `JobError` if the
 * tables are of a newer version.
 */
export async function ensureTables(database: PostgresDatabase): Promise<void> {
  await withRights(database, async () =>
    await database.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `trestle ${database.schema}`,
      ]);
      for (const schema of [database.schema, queueSchema(database.schema)]) {
        await ensureSchema(tx, schema);
      }
      await migrate(tx, database.schema);
      await ensureDays(tx);
    }));
}

/** Runs what creates tables; explains what is to be done if the role may not. */
export async function withRights<T>(
  database: PostgresDatabase,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const [row] = await database.query("SELECT quote_ident(current_user) AS role");
    throw new JobSetupError("Cannot keep jobs in PostgreSQL: the role may not create the tables", {
      sql: toGrants(database.schema, String(row?.role)),
      cause: error,
    });
  }
}

function toGrants(schema: string, role: string): string {
  const names = [schema, queueSchema(schema)].map((name) => `"${name}"`);
  return [
    ...names.map((name) => `CREATE SCHEMA IF NOT EXISTS ${name};`),
    `GRANT ALL ON SCHEMA ${names.join(", ")} TO ${role};`,
  ].join("\n");
}

/** `CREATE SCHEMA IF NOT EXISTS` needs the right to create one even if it exists. */
async function ensureSchema(tx: Transaction, schema: string): Promise<void> {
  const found = await tx.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (found.length === 0) await tx.query(`CREATE SCHEMA "${schema}"`);
}

async function migrate(tx: Transaction, schema: string): Promise<void> {
  const [table] = await tx.query("SELECT to_regclass($1) IS NOT NULL AS there", [
    `"${schema}".version`,
  ]);
  if (table?.there !== true) await tx.query("CREATE TABLE ~version (version integer NOT NULL)");
  const [row] = await tx.query("SELECT version FROM ~version");
  const version = Number(row?.version ?? 0);
  if (version > MIGRATIONS.length) {
    throw new JobError(
      "Cannot keep jobs in PostgreSQL: its tables are of a newer version of the server " +
        `(format ${version}; this one knows ${MIGRATIONS.length}); start that version, or set ` +
        "another MCP_JOBS_SCHEMA",
      { code: "JOBS_UNAVAILABLE" },
    );
  }
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) await tx.query(migration);
  await tx.query("DELETE FROM ~version");
  await tx.query("INSERT INTO ~version (version) VALUES ($1)", [MIGRATIONS.length]);
}

/** Makes a table the first partition of one with a partition for each day of jobs. */
function toPartitioned(table: string): string {
  return `
  ALTER TABLE ~${table} DROP CONSTRAINT ${table}_job_fkey;
  ALTER TABLE ~${table} RENAME TO ${table}_0;
  CREATE TABLE ~${table} (LIKE ~${table}_0 INCLUDING ALL) PARTITION BY RANGE (job);
  ALTER TABLE ~${table} ATTACH PARTITION ~${table}_0
    FOR VALUES FROM (MINVALUE) TO (${JOBS_OF_DAY});
`;
}

/**
 * The tables, as the changes from each version to the next one. Times are in milliseconds since
 * 1970, but for those that servers compare with each other, which are of PostgreSQL's clock.
 * JSON is text, because `jsonb` has no U+0000.
 */
const MIGRATIONS: readonly string[] = Object.freeze([
  `
  CREATE TABLE ~server (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    labels text[] NOT NULL,
    version text NOT NULL,
    machine text NOT NULL,
    runs integer NOT NULL DEFAULT 0,
    queue integer NOT NULL DEFAULT 0,
    seen timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz NOT NULL,
    left_jobs text[]
  );
  CREATE TABLE ~job (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    server uuid,
    server_name text,
    attempt integer NOT NULL DEFAULT 1,
    retries integer NOT NULL DEFAULT 0,
    route text,
    caller text NOT NULL,
    tool text NOT NULL,
    state text NOT NULL,
    stdin boolean NOT NULL,
    created bigint NOT NULL,
    started bigint,
    ended bigint,
    expires bigint,
    output_bytes bigint NOT NULL,
    stdout bigint NOT NULL DEFAULT 0,
    stderr bigint NOT NULL DEFAULT 0,
    events integer NOT NULL DEFAULT 0,
    error text,
    idempotency_key text,
    digest text
  );
  CREATE INDEX job_of_caller ON ~job (caller, seq);
  CREATE UNIQUE INDEX job_of_key ON ~job (caller, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
  CREATE INDEX live_job ON ~job (server) WHERE ended IS NULL;
  CREATE INDEX ended_job ON ~job (ended) WHERE ended IS NOT NULL;
  CREATE INDEX expiring_job ON ~job (expires) WHERE ended IS NOT NULL;
  CREATE TABLE ~call (
    job bigint PRIMARY KEY REFERENCES ~job ON DELETE CASCADE,
    call text NOT NULL
  );
  CREATE TABLE ~outcome (
    job bigint PRIMARY KEY REFERENCES ~job ON DELETE CASCADE,
    outcome text NOT NULL
  );
  CREATE TABLE ~output (
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    stream smallint NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (job, stream, start)
  );
  CREATE TABLE ~journal (
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    number integer NOT NULL,
    stdout bigint NOT NULL,
    stderr bigint NOT NULL,
    entry text NOT NULL,
    PRIMARY KEY (job, number)
  );
  CREATE TABLE ~command (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    kind text NOT NULL,
    bytes bytea
  );
  CREATE INDEX command_of_job ON ~command (job);
`,
  `
  ALTER TABLE ~server ADD COLUMN draining boolean NOT NULL DEFAULT false;
`,
  `
  ALTER TABLE ~job ADD COLUMN ending text;
`,
  `
  ALTER TABLE ~job ADD COLUMN title text;
`,
  `
  CREATE TABLE ~kept_call (
    job bigint PRIMARY KEY REFERENCES ~job ON DELETE CASCADE,
    kept text NOT NULL
  );
  CREATE TABLE ~switch (
    job bigint NOT NULL REFERENCES ~job ON DELETE CASCADE,
    stdout bigint NOT NULL,
    stderr bigint NOT NULL,
    PRIMARY KEY (job, stdout, stderr)
  );
`,
  `
  CREATE UNLOGGED TABLE ~message (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    receiver uuid NOT NULL,
    message text NOT NULL,
    sent timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX message_of_receiver ON ~message (receiver);
  ALTER TABLE ~job ADD COLUMN waiting text;
`,
  `
  ALTER TABLE ~job ALTER COLUMN seq DROP IDENTITY;
  CREATE SEQUENCE ~job_number OWNED BY ~job.seq MAXVALUE ${JOBS_OF_DAY - 1} CYCLE;
  ALTER TABLE ~job ALTER COLUMN seq SET DEFAULT ${NEXT_SEQ};
  CREATE INDEX job_of_state ON ~job (state, seq);
  ${DAY_TABLES.map(toPartitioned).join("")}
`,
  `
  ALTER TABLE ~switch ADD COLUMN at bigint;
`,
  `
  CREATE TABLE ~ended_call (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    caller text NOT NULL,
    call text NOT NULL
  );
  ALTER TABLE ~job ADD COLUMN asking text;
`,
]);
