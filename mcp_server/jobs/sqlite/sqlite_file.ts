import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../shared/error.ts";
import { JobError } from "../../tool/job.ts";
import type { Row, Work } from "../sql.ts";
import { CONNECTION, ensureKnownFormat, migrate, unusable } from "./sqlite_schema.ts";

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
 * for a lock of another process: that is left to {@linkcode StoreTurns}.
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
function isLocked(error: unknown): boolean {
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

/**
 * How long a step waits for the transactions of other processes: on a busy machine a server may be
 * paused in the midst of one.
 */
const WAIT_MS = 10_000;
/** How long one still waits once the store is to be closed. */
const CLOSE_MS = 1_000;
/** Pauses between the attempts, in milliseconds. */
const PAUSE = { first: 1, longest: 50 };

/**
 * Runs the steps of a store whose file other processes may lock. A step that meets a lock changes
 * nothing, and is tried again after a pause in which everything else goes on; steps that change
 * something wait behind it, in order.
 */
export class StoreTurns {
  readonly #waitMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #end = Infinity;

  constructor(waitMs: number = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /** Runs a step that changes something; rejects as it throws, and if the lock stays. */
  async run<T>(step: () => T): Promise<T> {
    if (this.#waiting > 0) return await this.#inTurn(step);
    return await this.#atOnce(step);
  }

  /** Runs a step that only reads, which most locks allow, before those that wait. */
  async read<T>(step: () => T): Promise<T> {
    return await this.#atOnce(step);
  }

  /** Lets no step wait for long any more. */
  endSoon(): void {
    this.#end = performance.now() + CLOSE_MS;
  }

  /** Resolves once no step waits. */
  async idle(): Promise<void> {
    while (this.#waiting > 0) await this.#last;
  }

  async #atOnce<T>(step: () => T): Promise<T> {
    try {
      return step();
    } catch (error) {
      if (!isLocked(error)) throw error;
      return await this.#inTurn(step);
    }
  }

  async #inTurn<T>(step: () => T): Promise<T> {
    const until = performance.now() + this.#waitMs;
    this.#waiting++;
    const turn = this.#last.then(() => this.#repeat(step, until));
    const over = () => void this.#waiting--;
    this.#last = turn.then(over, over);
    return await turn;
  }

  async #repeat<T>(step: () => T, until: number): Promise<T> {
    for (let pause = PAUSE.first;; pause = Math.min(2 * pause, PAUSE.longest)) {
      try {
        return step();
      } catch (error) {
        const isOver = performance.now() >= Math.min(until, this.#end);
        if (isOver || !isLocked(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
