import { quote, ToolError } from "../../../shared/error.ts";
import { jsonLength, jsonTextLength, type JsonValue, withoutUnset } from "../../../shared/json.ts";
import { cutText } from "../sql_session.ts";

/** What an answer has of each table. */
export type SchemaDetail = "names" | "columns" | "full";

/** A table, a view, or what else has rows. */
export type TableSchema = {
  schema: string;
  name: string;
  /** `table`, `view`, `materialized view`, `partitioned table`, `foreign table`, `virtual table`. */
  type: string;
  /** The table that it is a partition of, with its schema. */
  partitionOf?: string;
  /** About how many rows it has. */
  rows?: number;
  /** Where that number comes from: the engine's statistics, or a count. */
  rowsFrom?: "reltuples" | "sqlite_stat1" | "count";
  /** The count stopped there. */
  moreRows?: true;
  /** Why the database can't describe it, such as a view of a missing table. */
  error?: string;
  primaryKey?: string[];
  columns?: ColumnSchema[];
  foreignKeys?: ForeignKeySchema[];
  indexes?: IndexSchema[];
  /** The rest of it is on the next page. */
  continued?: true;
};

/** A column of a table. */
export type ColumnSchema = {
  name: string;
  type: string;
  /** It may be NULL; missing for views, of whose columns the database does not know it. */
  nullable?: true;
  /** Its default, as SQL. */
  default?: string;
  /** It is computed from others. */
  generated?: true;
};

/** A foreign key, and what it refers to. */
export type ForeignKeySchema = {
  columns: string[];
  table: string;
  /** Missing if it is the primary key, and the table does not say which columns that has. */
  to?: string[];
};

/** An index that is not the one of the primary key. */
export type IndexSchema = {
  name: string;
  /** Columns and expressions. */
  on: string[];
  unique?: true;
  /** It has only the rows that fulfil a condition. */
  partial?: true;
};

/** A table as an engine describes it. */
export interface FoundTable extends Required<Pick<TableSchema, typeof LISTS[number]>> {
  /** Its position in the order of the engine's catalog. */
  readonly id: string;
  readonly head: Omit<TableSchema, typeof LISTS[number]>;
}

/** Runs one statement on the catalog; resolves with its rows, and throws a `ToolError` if it fails. */
export type Ask = (text: string, params: readonly unknown[]) => Promise<readonly JsonValue[][]>;

/** Which tables are read, and what of them. */
export interface TableRequest {
  readonly pattern: string | undefined;
  readonly detail: SchemaDetail;
  /** The position in the catalog of the first one. */
  readonly from: string;
}

/** The parts of a table that may continue on the next page, in this order. */
const LISTS = ["columns", "foreignKeys", "indexes"] as const;
/** The size of a page as JSON text, without what surrounds its tables. */
const PAGE_BYTES = 32 * 1024 - 512;
/** What surrounds a table: a comma, and that it continues. */
const BYTES_AROUND = ',"continued":true'.length;
const TEXT_LENGTH = 256;
/** What the names of one key may take, of which SQLite allows 2,000. */
const NAMES_BYTES = 4_096;
const CURSOR = /^(\d{1,19})\.(\d{1,9})$/;

/** Cuts a text of a catalog that is too long for an answer. */
export function cutName(text: string): string {
  return cutText(text, TEXT_LENGTH);
}

/** Cuts the names of one key: those that are left out are counted. */
export function cutNames(names: readonly string[]): string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const name of names.map(cutName)) {
    bytes += jsonTextLength(name) + 3;
    if (bytes > NAMES_BYTES) return [...kept, `... ${names.length - kept.length} more`];
    kept.push(name);
  }
  return kept;
}

/** Where a page begins: with which table, and after how many entries of its lists. */
export interface PageStart {
  readonly id: string;
  readonly entry: number;
}

/** Reads a cursor; throws a `ToolError` if it is none. */
export function parseCursor(cursor: string | undefined): PageStart {
  if (cursor === undefined) return { id: "0", entry: 0 };
  const [, id, entry] = CURSOR.exec(cursor) ?? [];
  if (id !== undefined && BigInt(id) < 2n ** 63n) return { id, entry: Number(entry) };
  throw new ToolError(
    `Cannot read the schema from ${
      quote(cursor)
    }: it is not a cursor; use nextCursor of the page ` +
      "before",
    { code: "INVALID_ARGUMENTS" },
  );
}

/** Collects tables up to the size of an answer. */
export class SchemaPage {
  readonly tables: TableSchema[] = [];
  /** The cursor of the next page, once there is one. */
  nextCursor: string | undefined;
  readonly #start: PageStart;
  #left = PAGE_BYTES;

  constructor(start: PageStart) {
    this.#start = start;
  }

  /**
   * Adds a table; returns `false` if the page is full. One that does not fit is left to the next
   * page, and one that fits into no page continues there.
   */
  add(table: FoundTable): boolean {
    const from = table.id === this.#start.id ? this.#start.entry : 0;
    const entries = LISTS.flatMap((key) => table[key].map((entry) => ({ key, entry }))).slice(from);
    let size = jsonLength(table.head) + BYTES_AROUND;
    let count = 0;
    for (const { key, entry } of entries) {
      const bytes = jsonLength(entry) + (entries[count - 1]?.key === key ? 1 : key.length + 6);
      if (size + bytes > this.#left) break;
      size += bytes;
      count++;
    }
    const isWhole = count === entries.length && size <= this.#left;
    if (!isWhole && this.tables.length > 0) return this.end(table);
    this.#left -= size;
    this.tables.push(partOf(table, from, from + count, isWhole));
    if (!isWhole) this.nextCursor = `${table.id}.${from + count}`;
    return isWhole;
  }

  /** Leaves a table, and all after it, to the next page. */
  end({ id }: FoundTable): false {
    this.nextCursor = `${id}.0`;
    return false;
  }
}

/** A table with the entries of its lists between two positions. */
function partOf(table: FoundTable, from: number, to: number, isWhole: boolean): TableSchema {
  let before = 0;
  const cut = <Entry>(list: readonly Entry[]): Entry[] | undefined => {
    const part = list.slice(Math.max(0, from - before), Math.max(0, to - before));
    before += list.length;
    return part.length > 0 ? part : undefined;
  };
  return withoutUnset<TableSchema>({
    ...table.head,
    columns: cut(table.columns),
    foreignKeys: cut(table.foreignKeys),
    indexes: cut(table.indexes),
    continued: isWhole ? undefined : true,
  });
}
