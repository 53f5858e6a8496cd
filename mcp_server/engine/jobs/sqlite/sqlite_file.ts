import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import { messageOf } from "../../../domain/error.ts";
import { JobError } from "../../../domain/job_error.ts";
import { APPLICATION_ID, CONNECTION, SCHEMA, SCHEMA_VERSION } from "./sqlite_schema.ts";

/** A row as `node:sqlite` returns it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * How long a statement waits for the transactions of other servers, which on a busy machine may be
 * paused in the midst of one.
 */
const BUSY_MS = 10_000;
// Result codes (sqlite.org, "Result and Error Codes").
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
/**
 * The space reserved for a full disk: more than the write-ahead log takes between two checkpoints,
 * so that there is room for one more checkpoint, and then for the end of every job.
 */
const RESERVE_BYTES = 6 * 1024 * 1024;

/** The open file of a store: prepared statements, transactions, and errors as `JobError`. */
export class SqliteFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  /**
   * Opens the store, and creates it if there is none; only its owner can read it. Throws a
   * `JobError` if it can't be used, or belongs to another program.
   */
  static open(path: string): SqliteFile {
    return refuseBy(path, () => {
      ensurePrivateFile(path);
      const database = new DatabaseSync(path, { timeout: BUSY_MS });
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

  /** The first row, if there is any. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return refuseBy(this.path, () => this.#prepare(sql).get(...values));
  }

  /** All rows. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return refuseBy(this.path, () => this.#prepare(sql).all(...values));
  }

  /** Changes rows; returns how many. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return refuseBy(this.path, () => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Runs all statements of a function, or none. */
  transaction<T>(work: () => T): T {
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

  /** Runs all queries of a function on the same state of the file. */
  snapshot<T>(work: () => T): T {
    return refuseBy(this.path, () => {
      this.#database.exec("BEGIN");
      try {
        return work();
      } finally {
        this.#database.exec("COMMIT");
      }
    });
  }

  /**
   * Runs a transaction that needs more space; throws `STORAGE_FULL` if only the reserve is left.
   */
  growingTransaction<T>(work: () => T): T {
    this.ensureReserve();
    if (this.#reserved) return this.transaction(work);
    throw new JobError(`Cannot keep jobs in "${this.path}": the disk is full; free some space`, {
      code: "STORAGE_FULL",
    });
  }

  /** Runs a transaction that needs little space; on a full disk, uses the reserve. */
  lastTransaction<T>(work: () => T): T {
    try {
      return this.transaction(work);
    } catch (error) {
      if (!(error instanceof JobError && error.code === "STORAGE_FULL")) throw error;
      removeIfPresent(this.#reserve);
      this.get("PRAGMA wal_checkpoint(TRUNCATE)");
      return this.transaction(work);
    }
  }

  /** Reserves space again, if there is enough. */
  ensureReserve(): void {
    if (this.#reserved) return;
    try {
      const empty = new Uint8Array(RESERVE_BYTES);
      Deno.writeFileSync(this.#reserve, empty, { createNew: true, mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) removeIfPresent(this.#reserve);
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
    const id = this.#pragma("application_id");
    const isEmpty = this.#pragma("schema_version") === 0;
    if (id !== APPLICATION_ID && !isEmpty) {
      throw unusable(this.path, "it is a database of another program; name another folder");
    }
    this.#database.exec(CONNECTION);
    this.transaction(() => {
      const version = this.#pragma("user_version");
      if (version > SCHEMA_VERSION) {
        throw unusable(
          this.path,
          "it is of a newer version of the server; use that version, or another folder",
        );
      }
      if (version === SCHEMA_VERSION) return;
      this.#database.exec(SCHEMA);
      this.#database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      this.#database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
    this.ensureReserve();
  }

  #pragma(name: string): number {
    return Number(this.#database.prepare(`PRAGMA ${name}`).get()?.[name]);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
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
    const remedy = isBroken(cause) ? "; move it away, and the next start creates a new one" : "";
    throw new JobError(`Cannot keep jobs in "${path}": ${messageOf(cause)}${remedy}`, {
      code,
      cause,
    });
  }
}

function unusable(path: string, state: string): JobError {
  return new JobError(`Cannot keep jobs in "${path}": ${state}`, { code: "JOBS_UNAVAILABLE" });
}

function isFull(error: unknown): boolean {
  return hasResult(error, [SQLITE_FULL], /ENOSPC|os error 28|disk is full/);
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
