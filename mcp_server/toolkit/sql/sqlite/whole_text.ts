import { QueryRefusal } from "../sql_session.ts";
import type { SqliteValue } from "./values.ts";

/** The first value of the row after the last one; bytes as hexadecimal text never look like it. */
const END = "end";

/**
 * Creates a query that returns the same rows in a form that `node:sqlite` reads completely, because
 * it cuts text at a NUL and changes what is not UTF-8. Text is returned as its bytes, and bytes as
 * hexadecimal text. One more row follows, because an error ends an iteration like the last row.
 * The limits keep SQLite from merging the parts, which would compute a column several times and
 * lose the order of the rows (sqlite.org, "The SQLite Query Optimizer Overview", section 11).
 */
export function toWholeTextQuery(query: string, columns: number): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const values = names.map((name) =>
    `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'blob' THEN hex(${name}) ` +
    `ELSE ${name} END`
  );
  const end = names.map((_, at) => at === 0 ? `'${END}'` : "NULL");
  const name = unusedName(query);
  return `WITH ${name}(${names}) AS (${query.replace(/;\s*$/, "")}\n) ` +
    `SELECT * FROM (SELECT ${values} FROM (SELECT * FROM ${name} LIMIT -1) LIMIT -1) ` +
    `UNION ALL SELECT ${end}`;
}

/** A name that the query does not contain: a table of the same name would mean the query itself. */
function unusedName(query: string): string {
  const text = query.toLowerCase();
  let name = "query";
  for (let at = 1; text.includes(name); at++) name = `query${at}`;
  return name;
}

/** Whether a row of such a query is the one after the last. */
export function isEnd([first]: readonly SqliteValue[]): boolean {
  return first === END;
}

/** Reads the values of such a query. */
export class WholeTextReader {
  readonly #decoder: TextDecoder;

  /** Takes the encoding of the file, as `PRAGMA encoding` names it. */
  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding.toLowerCase(), { fatal: true, ignoreBOM: true });
  }

  /**
   * Returns a value as SQLite stores it; throws a `QueryRefusal` if it is text that is not Unicode.
   */
  read(value: SqliteValue): SqliteValue {
    if (typeof value === "string") return Uint8Array.fromHex(value);
    return value instanceof Uint8Array ? this.#decode(value) : value;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      const { encoding } = this.#decoder;
      throw new QueryRefusal(
        "INVALID_TEXT",
        `Cannot return a text: it is not ${encoding.toUpperCase()}; hex(column) reads its bytes`,
      );
    }
  }
}
