import { DatabaseSync } from "node:sqlite";
import { JobError } from "../../tool/job.ts";

/** Marks a file as a store of jobs (sqlite.org, "PRAGMA application_id"): "Tjob". */
const APPLICATION_ID = 0x546a6f62;

/** How every connection is set up; the first two take effect only before the first table. */
export const CONNECTION = `
  PRAGMA page_size = 8192;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 512;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
`;

/**
 * Jobs whose caller has no name: it is empty, or the first digits of a token's SHA-256. They belong
 * to the caller of `MCP_TOKEN`, which is now `default`.
 */
const UNNAMED = `(caller = '' OR caller GLOB '${"[0-9a-f]".repeat(8)}')`;

/**
 * The tables, as the changes from each version to the next one. Times are in milliseconds since
 * 1970. What a released version of the server has run must not be edited.
 */
export const MIGRATIONS: readonly string[] = Object.freeze([
  `
  CREATE TABLE server (
    id TEXT PRIMARY KEY
  ) STRICT;
  CREATE TABLE job (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    server TEXT NOT NULL,
    caller TEXT NOT NULL,
    tool TEXT NOT NULL,
    state TEXT NOT NULL,
    stdin INTEGER NOT NULL,
    created INTEGER NOT NULL,
    started INTEGER,
    ended INTEGER,
    expires INTEGER,
    output_bytes INTEGER NOT NULL,
    stdout INTEGER NOT NULL DEFAULT 0,
    stderr INTEGER NOT NULL DEFAULT 0,
    events INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    idempotency_key TEXT,
    digest TEXT
  ) STRICT;
  CREATE INDEX job_of_caller ON job (caller, seq);
  CREATE UNIQUE INDEX job_of_key ON job (caller, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
  CREATE INDEX live_job ON job (server) WHERE ended IS NULL;
  CREATE INDEX ended_job ON job (ended, expires) WHERE ended IS NOT NULL;
  CREATE TABLE outcome (
    job INTEGER PRIMARY KEY REFERENCES job (seq) ON DELETE CASCADE,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE TABLE output (
    job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
    stream INTEGER NOT NULL,
    start INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (job, stream, start)
  ) STRICT;
  CREATE TABLE journal (
    job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    stdout INTEGER NOT NULL,
    stderr INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (job, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE command (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    bytes BLOB
  ) STRICT;
  CREATE INDEX command_of_job ON command (job);
`,
  `
  UPDATE job SET idempotency_key = NULL
    WHERE ${UNNAMED} AND EXISTS (
      SELECT 1 FROM job AS other
        WHERE other.idempotency_key = job.idempotency_key AND other.seq > job.seq
    );
  UPDATE job SET caller = 'default' WHERE ${UNNAMED};
`,
  `
  ALTER TABLE job ADD COLUMN ending TEXT;
`,
  `
  ALTER TABLE job ADD COLUMN title TEXT;
`,
  `
  CREATE TABLE kept_call (
    job INTEGER PRIMARY KEY REFERENCES job (seq) ON DELETE CASCADE,
    kept TEXT NOT NULL
  ) STRICT;
  CREATE TABLE switch (
    job INTEGER NOT NULL REFERENCES job (seq) ON DELETE CASCADE,
    stdout INTEGER NOT NULL,
    stderr INTEGER NOT NULL,
    PRIMARY KEY (job, stdout, stderr)
  ) STRICT, WITHOUT ROWID;
`,
  `
  ALTER TABLE switch ADD COLUMN at INTEGER;
`,
  `
  CREATE TABLE ended_call (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    caller TEXT NOT NULL,
    call TEXT NOT NULL
  ) STRICT;
  ALTER TABLE job ADD COLUMN asking TEXT;
`,
]);

/**
 * Checks the format of a file that exists, and changes nothing of it. Throws a `JobError` if it is of
 * another program, or of a newer version of the server.
 */
export function ensureKnownFormat(path: string): void {
  const { isFile, size } = statOf(path) ?? { isFile: false, size: 0 };
  if (!isFile || size === 0) return;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    versionOf(path, database);
  } finally {
    database.close();
  }
}

/** Creates the tables, or brings those of an older version to this one; needs a transaction. */
export function migrate(path: string, database: DatabaseSync): void {
  const version = versionOf(path, database);
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
}

/** The version of the tables, 0 if there are none. */
function versionOf(path: string, database: DatabaseSync): number {
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (pragma("schema_version") === 0) return 0;
  if (pragma("application_id") !== APPLICATION_ID) {
    throw unusable(
      path,
      "it is a database of another program; move it, and if it is one of sql-query, " +
        "set MCP_DATABASE_JOBS to sqlite://<its new path>",
    );
  }
  const version = pragma("user_version");
  if (version <= MIGRATIONS.length) return version;
  throw unusable(
    path,
    `it is of a newer version of the server (format ${version}; this one knows ` +
      `${MIGRATIONS.length}); start that version, or set another MCP_DATA_DIR`,
  );
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** A store that this server can't use. */
export function unusable(path: string, state: string): JobError {
  return new JobError(`Cannot keep jobs in "${path}": ${state}`, { code: "JOBS_UNAVAILABLE" });
}
