import {
  bytesOfNames,
  failed,
  NOTHING,
  type QueryBounds,
  type QueryError,
  type QueryOutcome,
  QueryRefusal,
  RowBudget,
  type SqlQuery,
} from "./sql_session.ts";
import {
  AUTHORIZER,
  fromSqlite,
  isEnd,
  sizeOfSqlite,
  type SqliteFile,
  type SqliteModule,
  type SqliteStatement,
  type SqliteValue,
  toSqliteError,
  toSqliteParams,
  toWholeTextQuery,
  WholeTextReader,
} from "./sqlite_values.ts";
import { isBlankSql } from "./statement_text.ts";

/** Which file is opened, and how. */
export interface SqliteOptions {
  readonly path: string;
  readonly readOnly: boolean;
}

const BUSY_MS = 5_000;
/** These apply to the process, so they would outlast the batch, or name a folder. */
const PROCESS_PRAGMAS = /^((temp|data)_store_directory|(soft|hard)_heap_limit)$/i;
/** The PRAGMA that each read asks for; without a value it changes nothing. */
const ENCODING = "encoding";
const WRITES: readonly number[] = [AUTHORIZER.INSERT, AUTHORIZER.UPDATE, AUTHORIZER.DELETE];
/** What changes neither the file nor its connection. */
const READS: readonly number[] = [
  AUTHORIZER.READ,
  AUTHORIZER.SELECT,
  AUTHORIZER.FUNCTION,
  AUTHORIZER.RECURSIVE,
];

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
  #onlyRead = true;

  constructor(module: SqliteModule, file: SqliteOptions) {
    this.#module = module;
    this.#file = file;
    this.#database = this.#open();
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Whether nothing but reads has been compiled since the file was opened or reset. */
  get onlyRead(): boolean {
    return this.#onlyRead;
  }

  /** Runs one statement; SQLite's errors are returned. */
  run({ text, params }: SqlQuery, bounds: AnswerBounds): QueryOutcome {
    try {
      return this.#run(text, toSqliteParams(params), bounds);
    } catch (error) {
      return toSqliteError(error);
    }
  }

  /**
   * Discards everything that a batch left behind by reopening the file. After reads it is opened
   * before it is closed: the last one who closes a file also writes its log back and removes it.
   */
  reset(): void {
    const used = this.#database;
    if (!this.#onlyRead) used.close();
    this.#database = this.#open();
    if (this.#onlyRead) used.close();
    this.#onlyRead = true;
  }

  #open(): SqliteFile {
    const { path, readOnly } = this.#file;
    const database = new this.#module.DatabaseSync(path, { readOnly, timeout: BUSY_MS });
    if (!readOnly) database.prepare("PRAGMA journal_mode = WAL").all();
    database.exec("PRAGMA foreign_keys = ON");
    database.enableDefensive(true);
    database.setAuthorizer((...request) => this.#authorize(...request));
    return database;
  }

  /**
   * No other file is opened, whatever permissions the process has; VACUUM attaches one without a
   * name.
   */
  #authorize(action: number, name: string | null, value: string | null): number {
    this.#actions.add(action);
    const asksEncoding = action === AUTHORIZER.PRAGMA && name === ENCODING && value === null;
    if (!READS.includes(action) && !asksEncoding) this.#onlyRead = false;
    const attaches = action === AUTHORIZER.ATTACH && name !== "" && name !== ":memory:";
    const outlasts = action === AUTHORIZER.PRAGMA && PROCESS_PRAGMAS.test(name ?? "");
    return attaches || outlasts ? AUTHORIZER.DENY : AUTHORIZER.OK;
  }

  #run(text: string, values: SqliteValue[], bounds: AnswerBounds): QueryOutcome {
    if (isBlankSql(text)) return NOTHING;
    const prepared = this.#prepare(text, values.length);
    if ("error" in prepared) return prepared;
    const { statement, writes, onlyReads } = prepared;
    const before = writes ? this.#totalChanges() : 0;
    const names = statement.columns().map(({ name }) => name ?? "");
    if (writes && names.length > 0) refuseNul(values);
    if (names.length === 0) statement.run(...values);
    const source = onlyReads ? this.#wholeText(statement, names.length) : asItComes(statement);
    const budget = names.length === 0
      ? new RowBudget<SqliteValue[]>(bounds)
      : readRows(source, values, { bounds, names, onlyReads });
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
      const reader = new WholeTextReader(String(this.#single(`PRAGMA ${ENCODING}`)));
      return { statement: asArrays(whole), read: (value) => reader.read(value), isEnd };
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

/** RETURNING is read directly, so text would be cut at a NUL. */
function refuseNul(values: readonly SqliteValue[]): void {
  if (values.some((value) => typeof value === "string" && value.includes("\0"))) {
    throw new QueryRefusal(
      "INVALID_TEXT",
      "Cannot answer RETURNING: a parameter has a NUL; read what was written with SELECT",
    );
  }
}

function answer(
  { rows, full, nameless, bytes, refusedBytes }: RowBudget<SqliteValue[]>,
  rowCount: number,
  names: readonly string[],
): QueryOutcome {
  return {
    ok: true,
    columns: nameless ? [] : names,
    rows: rows.map((row) => row.map(fromSqlite)),
    rowCount,
    truncated: full,
    bytes,
    refusedBytes,
  };
}

/** What bounds the answer of a statement. */
export type AnswerBounds = Pick<QueryBounds, "maxRows" | "maxBytes" | "rowsAs">;

/** The rows of a statement, and how their values are read. */
interface RowSource {
  readonly statement: SqliteStatement;
  readonly read: (value: SqliteValue) => SqliteValue;
  /** Whether a row is not one of the result, but shows that all of them were read. */
  readonly isEnd: (row: readonly SqliteValue[]) => boolean;
}

/** Makes a statement return rows as arrays, and integers as `bigint`. */
function asArrays(statement: SqliteStatement): SqliteStatement {
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

/** The rows of a statement whose values need no decoding. */
function asItComes(statement: SqliteStatement): RowSource {
  return { statement, read: (value) => value, isEnd: () => false };
}

/**
 * Reads the rows that fit. A statement that only reads is stepped through, so that memory use stays
 * flat however many rows there are. If it ends without the row that shows the end, it is run once
 * more, because an error looks like an end.
 */
function readRows(
  source: RowSource,
  values: SqliteValue[],
  { bounds, names, onlyReads }: {
    bounds: AnswerBounds;
    names: readonly string[];
    onlyReads: boolean;
  },
): RowBudget<SqliteValue[]> {
  const { heading, perRow } = bytesOfNames(names, bounds.rowsAs);
  const { statement, read, isEnd } = source;
  const take = (rows: Iterable<SqliteValue[]>) => {
    const budget = new RowBudget<SqliteValue[]>(bounds);
    budget.takeHeading(heading);
    for (const raw of rows) {
      if (isEnd(raw)) return { budget, ended: true };
      if (!budget.mayTake(bytesOfRow(raw))) break;
      const row = raw.map(read);
      if (!budget.take(row, perRow + sizeOfRow(row))) break;
    }
    return { budget, ended: budget.full };
  };
  if (onlyReads) {
    const { budget, ended } = take(statement.iterate(...values));
    if (ended) return budget;
  }
  return take(statement.all(...values)).budget;
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
