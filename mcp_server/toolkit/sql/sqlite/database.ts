import { bytesOfNames, RowBudget, uniqueNames } from "../rows.ts";
import {
  failed,
  type QueryBounds,
  type QueryError,
  type QueryOutcome,
  QueryRefusal,
  type SqlQuery,
} from "../sql_session.ts";
import { AUTHORIZER, type SqliteFile, type SqliteModule, type SqliteStatement } from "./module.ts";
import {
  fromSqlite,
  sizeOfSqlite,
  type SqliteValue,
  toSqliteError,
  toSqliteParams,
} from "./values.ts";
import { toWholeTextQuery, WholeTextReader } from "./whole_text.ts";

/** What bounds the answer of a statement. */
export type AnswerBounds = Pick<QueryBounds, "maxRows" | "maxBytes">;

/** Which file is opened, and how. */
export interface SqliteOptions {
  readonly path: string;
  readonly readOnly: boolean;
}

const BUSY_MS = 5_000;
/** These apply to the process, so they would outlast the batch, or name a folder. */
const PROCESS_PRAGMAS = /^((temp|data)_store_directory|(soft|hard)_heap_limit)$/i;
const WRITES: readonly number[] = [AUTHORIZER.INSERT, AUTHORIZER.UPDATE, AUTHORIZER.DELETE];

/** The rows of a statement, and how their values are read. */
interface RowSource {
  readonly statement: SqliteStatement;
  readonly read: (value: SqliteValue) => SqliteValue;
}

interface Prepared {
  readonly statement: SqliteStatement;
  /** Whether it inserts, updates or deletes. */
  readonly writes: boolean;
  readonly onlyReads: boolean;
}

/** An open SQLite file; its statements block the thread they run on. */
export class SqliteDatabase {
  readonly #module: SqliteModule;
  readonly #file: SqliteOptions;
  #database: SqliteFile;
  /** What the statement that is being compiled does. */
  readonly #actions = new Set<number>();

  constructor(module: SqliteModule, file: SqliteOptions) {
    this.#module = module;
    this.#file = file;
    this.#database = this.#open();
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Runs one statement; SQLite's errors are returned. */
  run({ text, params }: SqlQuery, bounds: AnswerBounds): QueryOutcome {
    try {
      return this.#run(text, toSqliteParams(params), bounds);
    } catch (error) {
      return toSqliteError(error);
    }
  }

  /** Discards everything that a batch left behind by reopening the file. */
  reset(): void {
    this.#database.close();
    this.#database = this.#open();
  }

  #open(): SqliteFile {
    const { path, readOnly } = this.#file;
    const database = new this.#module.DatabaseSync(path, { readOnly, timeout: BUSY_MS });
    if (!readOnly) database.prepare("PRAGMA journal_mode = WAL").all();
    database.exec("PRAGMA foreign_keys = ON");
    database.enableDefensive(true);
    database.setAuthorizer((action, name) => this.#authorize(action, name));
    return database;
  }

  /**
   * No other file is opened, whatever permissions the process has; VACUUM attaches one without a
   * name.
   */
  #authorize(action: number, name: string | null): number {
    this.#actions.add(action);
    const attaches = action === AUTHORIZER.ATTACH && name !== "" && name !== ":memory:";
    const outlasts = action === AUTHORIZER.PRAGMA && PROCESS_PRAGMAS.test(name ?? "");
    return attaches || outlasts ? AUTHORIZER.DENY : AUTHORIZER.OK;
  }

  #run(text: string, values: SqliteValue[], bounds: AnswerBounds): QueryOutcome {
    if (isBlankSql(text)) return answer(new RowBudget(bounds), 0);
    const before = this.#totalChanges();
    const prepared = this.#prepare(text, values.length);
    if ("error" in prepared) return prepared;
    const { statement, writes, onlyReads } = prepared;
    const names = statement.columns().map(({ name }) => name ?? "");
    if (writes && names.length > 0) refuseNul(values);
    if (names.length === 0) statement.run(...values);
    const source = onlyReads ? this.#wholeText(statement, names.length) : asItComes(statement);
    const budget = names.length === 0
      ? new RowBudget<SqliteValue[]>(bounds)
      : readRows(source, values, { bounds, perRow: bytesOfNames(names), onlyReads });
    const changed = writes && this.#totalChanges() > before;
    return answer(budget, changed ? this.#changes() : budget.rows.length, names);
  }

  /**
   * Rejects what SQLite would ignore silently: placeholders without a value, a second statement.
   */
  #prepare(
    text: string,
    placeholders: number,
  ): Prepared | { ok: false; error: QueryError } {
    this.#actions.clear();
    this.#database.limits.variableNumber = placeholders;
    const statement = this.#database.prepare(text);
    const writes = WRITES.some((action) => this.#actions.has(action));
    const onlyReads = this.#actions.has(AUTHORIZER.SELECT) && !writes;
    if (!isBlankSql(text.slice(statement.sourceSQL.length))) {
      return failed(
        "SQLITE_ERROR",
        "Cannot run the query: it has more than one statement; put each into a query of its own",
      );
    }
    return { statement: asArrays(statement), writes, onlyReads };
  }

  /** What can't be part of another query, such as EXPLAIN, is read directly. */
  #wholeText(statement: SqliteStatement, columns: number): RowSource {
    try {
      const whole = this.#database.prepare(toWholeTextQuery(statement.sourceSQL, columns));
      const reader = new WholeTextReader(String(this.#single("PRAGMA encoding")));
      return { statement: asArrays(whole), read: (value) => reader.read(value) };
    } catch {
      return asItComes(statement);
    }
  }

  #totalChanges(): number {
    return Number(this.#single("SELECT total_changes()"));
  }

  #changes(): number {
    return Number(this.#single("SELECT changes()"));
  }

  #single(text: string): SqliteValue | undefined {
    const [[value] = []] = asArrays(this.#database.prepare(text)).all();
    return value;
  }
}

function asArrays(statement: SqliteStatement): SqliteStatement {
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

function asItComes(statement: SqliteStatement): RowSource {
  return { statement, read: (value) => value };
}

/** RETURNING is read directly, so text would be cut at a NUL. */
function refuseNul(values: readonly SqliteValue[]): void {
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) {
    throw new QueryRefusal(
      "INVALID_TEXT",
      "Cannot answer RETURNING: a parameter has a NUL; read what was written with SELECT",
    );
  }
}

/**
 * Reads the rows that fit. A statement that only reads is stepped through, so that memory use stays
 * flat however many rows there are; at the apparent end it is run once more, because an error looks
 * like an end.
 */
function readRows(
  source: RowSource,
  values: SqliteValue[],
  { bounds, perRow, onlyReads }: { bounds: AnswerBounds; perRow: number; onlyReads: boolean },
): RowBudget<SqliteValue[]> {
  const { statement, read } = source;
  const take = (rows: Iterable<SqliteValue[]>) => {
    const budget = new RowBudget<SqliteValue[]>(bounds);
    for (const raw of rows) {
      if (!budget.mayTake(bytesOfRow(raw))) break;
      const row = raw.map(read);
      if (!budget.take(row, perRow + sizeOfRow(row))) break;
    }
    return budget;
  };
  if (onlyReads) {
    const cut = take(statement.iterate(...values));
    if (cut.full) return cut;
  }
  return take(statement.all(...values));
}

/** Size of a row before its text is decoded. */
function bytesOfRow(row: readonly SqliteValue[]): number {
  return row.reduce<number>((sum, value) => {
    return sum + (value instanceof Uint8Array ? value.length : sizeOfSqlite(value));
  }, 0);
}

function sizeOfRow(row: readonly SqliteValue[]): number {
  return row.reduce<number>((sum, value) => sum + sizeOfSqlite(value), 0);
}

function answer(
  { rows, full, bytes, refusedBytes }: RowBudget<SqliteValue[]>,
  rowCount: number,
  names: readonly string[] = [],
): QueryOutcome {
  const keys = uniqueNames(names);
  return {
    ok: true,
    rows: rows.map((row) =>
      Object.fromEntries(row.map((value, at) => [keys[at], fromSqlite(value)]))
    ),
    rowCount,
    truncated: full,
    bytes,
    refusedBytes,
  };
}

/** White space and comments as SQLite reads them (sqlite.org, "SQL Comment Syntax"), and `;`. */
const NOTHING = /^(?:[ \t\n\f\r;]+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))/;

/** Whether a text contains no statement: SQLite would compile it to nothing. */
export function isBlankSql(text: string): boolean {
  let rest = text;
  for (let found = NOTHING.exec(rest); found !== null; found = NOTHING.exec(rest)) {
    rest = rest.slice(found[0].length);
  }
  return rest === "";
}
