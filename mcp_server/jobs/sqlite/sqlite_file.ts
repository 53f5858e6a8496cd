import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../shared/error.ts";
import { JobError } from "../../tool/job.ts";
import type { Row, Work } from "../sql.ts";
import { APPLICATION_ID, CONNECTION, MIGRATIONS } from "./sqlite_schema.ts";

// Result codes (sqlite.org, "Result and Error Codes").
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
/**
 * The space reserved for a full disk: more than the write-ahead log takes between two checkpoints,
 * so that there is room for one more checkpoint, and then for the end of every job.
 */
const RESERVE_BYTES = 6 * 1024 * 1024;

/** A statement; it throws if SQLite has no type for a value. */
interface Prepared {
  all(...values: readonly unknown[]): Row[];
}

/**
 * The open file of a store: prepared statements, transactions, and errors as `JobError`. Nothing waits
 * for a lock of another process; see {@linkcode isLocked}.
 */
export class SqliteFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  /**
   * Opens the store, and creates it if there is none; only its owner can read it. A store of an older
   * version is brought to this one. Throws a `JobError` if it can't be used; one of a newer version,
   * or of another program, is left as it is.
   */
  static open(path: string): SqliteFile {
    return refuseBy(path, () => {
      ensureKnownFormat(path);
      ensurePrivateFile(path);
      const database = new DatabaseSync(path);
      try {
        const file = new SqliteFile(path, database);
        file.#setUp();
        return file;
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  /** Runs one statement; returns its rows. */
  query(sql: string, ...values: readonly unknown[]): Row[] {
    return refuseBy(this.path, () => this.#prepare(sql).all(...values));
  }

  /** Runs all statements of some work, each by itself. */
  run<T>(work: Work<T>): T {
    let step = work.next();
    while (step.done !== true) {
      let rows: Row[] = [];
      for (const [sql, ...values] of step.value) rows = this.query(sql, ...values);
      step = work.next(rows);
    }
    return step.value;
  }

  /** Runs all statements of some work, or none; on a full disk, uses the reserve. */
  transaction<T>(work: () => Work<T>): T {
    try {
      return this.#atOnce(() => this.run(work()));
    } catch (error) {
      if (!(error instanceof JobError && error.code === "STORAGE_FULL")) throw error;
      removeIfPresent(this.#reserve);
      this.query("PRAGMA wal_checkpoint(TRUNCATE)");
      return this.#atOnce(() => this.run(work()));
    }
  }

  /**
   * Runs a transaction that needs more space. If none can be reserved, throws `STORAGE_FULL`, or what
   * the system says if the disk is not full.
   */
  growingTransaction<T>(work: () => Work<T>): T {
    return refuseBy(this.path, () => {
      const cause = this.ensureReserve();
      if (cause !== undefined) throw cause;
      return this.#atOnce(() => this.run(work()));
    });
  }

  /** Reserves space again, if there is enough; returns why it can't. */
  ensureReserve(): unknown {
    if (this.#reserved) return undefined;
    try {
      const empty = new Uint8Array(RESERVE_BYTES);
      Deno.writeFileSync(this.#reserve, empty, { createNew: true, mode: 0o600 });
      return undefined;
    } catch (error) {
      // Another server has just written it.
      if (error instanceof Deno.errors.AlreadyExists) return undefined;
      removeIfPresent(this.#reserve);
      return error;
    }
  }

  /** Closes the file. */
  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  get #reserve(): string {
    return `${this.path}.reserve`;
  }

  /** Another server may have used it. */
  get #reserved(): boolean {
    try {
      return Deno.statSync(this.#reserve).isFile;
    } catch {
      return false;
    }
  }

  #setUp(): void {
    this.#database.exec(CONNECTION);
    this.#atOnce(() => migrate(this.path, this.#database));
    this.ensureReserve();
  }

  #atOnce<T>(work: () => T): T {
    return refuseBy(this.path, () => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement: Prepared = this.#database.prepare(toSqlite(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** The statement for SQLite, which has no schemas, and locks the whole file instead of rows. */
function toSqlite(sql: string): string {
  return sql.replaceAll("~", "").replaceAll(/\$(?=\d)/g, "?").replaceAll(ROW_LOCK, "");
}

const ROW_LOCK = / FOR UPDATE( OF job)?( SKIP LOCKED)?/g;

/**
 * Checks the format of a file that exists, and changes nothing of it. Throws a `JobError` if it is of
 * another program, or of a newer version of the server.
 */
function ensureKnownFormat(path: string): void {
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
function migrate(path: string, database: DatabaseSync): void {
  const version = versionOf(path, database);
  if (version === MIGRATIONS.length) return;
  for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
}

/** SQLite creates the files next to the database with the mode of the database. */
function ensurePrivateFile(path: string): void {
  using file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  const { isFile, mode } = file.statSync();
  if (!isFile) throw unusable(path, "it is not a regular file; name another folder");
  if (((mode ?? 0) & 0o077) !== 0) Deno.chmodSync(path, 0o600);
}

function removeIfPresent(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Runs a function, and throws whatever it throws as a `JobError`. */
function refuseBy<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof JobError) throw cause;
    const code = isFull(cause) ? "STORAGE_FULL" : "JOBS_UNAVAILABLE";
    throw new JobError(`Cannot keep jobs in "${path}": ${reasonOf(cause)}`, { code, cause });
  }
}

/** What the system said, and what to do where it isn't plain. */
function reasonOf(error: unknown): string {
  const said = messageOf(error);
  if (isFull(error)) return "the disk is full; free some space";
  if (isBroken(error)) return `${said}; move it away, and the next start creates a new one`;
  if (isBusy(error)) {
    return `${said} by another process; look for a stopped server, sqlite3 or a backup, and try again`;
  }
  if (!(error instanceof Deno.errors.NotFound)) return said;
  return `${said}; its folder is gone: restart the server, which creates it`;
}

/** Whether something failed, and changed nothing, because another process has locked the store. */
export function isLocked(error: unknown): boolean {
  return error instanceof JobError && isBusy(error.cause);
}

function isBusy(error: unknown): boolean {
  return hasResult(error, [SQLITE_BUSY], /database is locked/);
}

function isFull(error: unknown): boolean {
  return hasResult(error, [SQLITE_FULL], /ENOSPC|EDQUOT|os error (28|122)\b|disk is full/);
}

function isBroken(error: unknown): boolean {
  return hasResult(error, [SQLITE_CORRUPT, SQLITE_NOTADB], /is malformed|not a database/);
}

/** Whether an error has one of the result codes; those of `exec()` have none, only their text. */
function hasResult(error: unknown, codes: readonly number[], text: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "errcode");
  return typeof code === "number" ? codes.includes(code & 0xff) : text.test(error.message);
}

/** A store that this server can't use. */
function unusable(path: string, state: string): JobError {
  return new JobError(`Cannot keep jobs in "${path}": ${state}`, { code: "JOBS_UNAVAILABLE" });
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
