import { uniqueNames } from "./column_names.ts";
import { bytesOfNames, RowBudget } from "./row_budget.ts";
import {
  failed,
  type QueryBounds,
  type QueryError,
  type QueryOutcome,
  type SqlQuery,
} from "./sql_session.ts";
import { toSqliteError } from "./sqlite_error.ts";
import {
  AUTHORIZER,
  type SqliteFile,
  type SqliteModule,
  type SqliteStatement,
} from "./sqlite_module.ts";
import { isBlankSql } from "./sqlite_text.ts";
import { fromSqlite, sizeOfSqlite, type SqliteValue, toSqlite } from "./sqlite_values.ts";

/** What bounds the answer of a statement. */
export type AnswerBounds = Pick<QueryBounds, "maxRows" | "maxBytes">;

/** Which file is opened, and how. */
export interface SqlitePlace {
  readonly path: string;
  readonly readOnly: boolean;
}

const BUSY_MS = 5_000;
const FOLDER_PRAGMAS = /^(temp_store_directory|data_store_directory)$/i;
const WRITES: readonly number[] = [AUTHORIZER.INSERT, AUTHORIZER.UPDATE, AUTHORIZER.DELETE];

interface Prepared {
  readonly statement: SqliteStatement;
  /** It inserts, updates or deletes. */
  readonly writes: boolean;
  readonly onlyReads: boolean;
}

/** An open SQLite file; its statements block the thread they run on. */
export class SqliteDatabase {
  readonly #module: SqliteModule;
  readonly #place: SqlitePlace;
  #database: SqliteFile;
  /** What the statement that is being compiled does. */
  readonly #actions = new Set<number>();

  constructor(module: SqliteModule, place: SqlitePlace) {
    this.#module = module;
    this.#place = place;
    this.#database = this.#open();
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Runs one statement; what SQLite refuses is answered. */
  run({ text, params }: SqlQuery, bounds: AnswerBounds): QueryOutcome {
    try {
      return this.#run(text, params.map(toSqlite), bounds);
    } catch (error) {
      return toSqliteError(error);
    }
  }

  /** Forgets everything that a batch left behind by opening the file anew. */
  reset(): void {
    this.#database.close();
    this.#database = this.#open();
  }

  #open(): SqliteFile {
    const { path, readOnly } = this.#place;
    const database = new this.#module.DatabaseSync(path, { readOnly, timeout: BUSY_MS });
    if (!readOnly) database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA foreign_keys = ON");
    database.enableDefensive(true);
    database.setAuthorizer((action, name) => this.#authorize(action, name));
    return database;
  }

  /** Other files stay closed, whatever rights the process has; VACUUM attaches a nameless one. */
  #authorize(action: number, name: string | null): number {
    this.#actions.add(action);
    const attaches = action === AUTHORIZER.ATTACH && name !== "" && name !== ":memory:";
    const moves = action === AUTHORIZER.PRAGMA && FOLDER_PRAGMAS.test(name ?? "");
    return attaches || moves ? AUTHORIZER.DENY : AUTHORIZER.OK;
  }

  #run(text: string, values: SqliteValue[], bounds: AnswerBounds): QueryOutcome {
    if (isBlankSql(text)) return answer(new RowBudget(bounds), 0);
    const before = this.#totalChanges();
    const prepared = this.#prepare(text, values.length);
    if ("error" in prepared) return prepared;
    const { statement, writes, onlyReads } = prepared;
    const names = statement.columns().map(({ name }) => name ?? "");
    if (names.length === 0) statement.run(...values);
    const budget = names.length === 0
      ? new RowBudget<SqliteValue[]>(bounds)
      : readRows(statement, values, { bounds, perRow: bytesOfNames(names), onlyReads });
    const changed = writes && this.#totalChanges() > before;
    return answer(budget, changed ? this.#changes() : budget.rows.length, names);
  }

  /** Refuses what SQLite would drop silently: placeholders without a value, a second statement. */
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
        "There is more than one statement: put each into its own query",
      );
    }
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return { statement, writes, onlyReads };
  }

  #totalChanges(): number {
    return this.#count("SELECT total_changes()");
  }

  #changes(): number {
    return this.#count("SELECT changes()");
  }

  #count(text: string): number {
    const statement = this.#database.prepare(text);
    statement.setReturnArrays(true);
    const [[count] = []] = statement.all();
    return Number(count);
  }
}

/**
 * Reads the rows that fit. What only reads is stepped through, so that memory stays flat however
 * long it is; where it seems to have ended it is read once more, because an error looks like an end.
 */
function readRows(
  statement: SqliteStatement,
  values: SqliteValue[],
  { bounds, perRow, onlyReads }: { bounds: AnswerBounds; perRow: number; onlyReads: boolean },
): RowBudget<SqliteValue[]> {
  if (onlyReads) {
    const cut = takeRows(statement.iterate(...values), new RowBudget(bounds), perRow);
    if (cut.full) return cut;
  }
  return takeRows(statement.all(...values), new RowBudget(bounds), perRow);
}

function takeRows(
  rows: Iterable<SqliteValue[]>,
  budget: RowBudget<SqliteValue[]>,
  perRow: number,
): RowBudget<SqliteValue[]> {
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + sizeOfSqlite(value), perRow);
    if (!budget.take(row, size)) break;
  }
  return budget;
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
