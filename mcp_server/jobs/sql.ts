/** A row of a database; PostgreSQL's numbers of 64 bits are texts. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A statement with its values, in PostgreSQL's dialect: `$1` is the first value, and `~` stands before
 * the names of tables.
 */
export type Statement = readonly [sql: string, ...values: unknown[]];

/**
 * What is to be done in a database: yields statements, and is continued with the rows of the last one.
 * So the same code runs at once where an answer is there at once (SQLite, where nothing may come
 * between the statements of a transaction), and waits for each answer elsewhere.
 */
export type Work<T> = Generator<readonly Statement[], T, Row[]>;

/** Runs one statement; returns its rows. */
export function* query(...statement: Statement): Work<Row[]> {
  return yield [statement];
}

/**
 * Runs statements of which none sees what another one does, and no two change the same row: they may
 * be sent as one.
 */
export function* queries(...statements: readonly Statement[]): Work<void> {
  if (statements.length > 0) yield statements;
}

/** Statements that insert rows, each with a value for each column. */
export function toInserts(
  into: string,
  rows: readonly (readonly unknown[])[],
): Statement[] {
  const inserts: Statement[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const values = rows.slice(at, at + ROWS_AT_ONCE);
    let place = 0;
    const tuples = values.map((row) => `(${row.map(() => `$${++place}`).join(", ")})`);
    inserts.push([`INSERT INTO ${into} VALUES ${tuples.join(", ")}`, ...values.flat()]);
  }
  return inserts;
}

/** Each number of rows is a text of its own, which databases keep prepared. */
const ROWS_AT_ONCE = 20;

/** Where databases differ in what is done for jobs. */
export interface Dialect {
  /** Whether a small piece of output is joined with the row before it. */
  readonly joinsOutput: boolean;
  /** How many expired jobs one transaction removes. */
  readonly removedAtOnce: number;
  /** Makes all servers count the live jobs of a caller one after another. */
  lockCaller(caller: string): Statement[];
  /** Removes what is kept of a job until it ends, besides the commands for it. */
  forgetCall(seq: number): Statement[];
  /** Notifies other servers once the transaction is committed. */
  notify(notice: Notice, subject: string): Statement[];
}

/** What a notification is about: a job, the commands for a server, or work in a queue. */
export type Notice = "job" | "command" | "work";
