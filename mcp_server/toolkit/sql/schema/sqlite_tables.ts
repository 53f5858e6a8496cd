import { ToolError } from "../../../shared/error.ts";
import type { JsonValue } from "../../../shared/json.ts";
import {
  type Ask,
  cutName,
  cutNames,
  type FoundTable,
  type IndexSchema,
  type TableRequest,
} from "./schema_page.ts";

const AT_ONCE = 500;
/** Up to here the rows of a table without statistics are counted. */
const MOST_COUNTED = 10_000;
const SCHEMA = "main";

/** In the order of the catalog; the tables in which virtual tables keep their data are left out. */
const TABLES = `WITH listed AS MATERIALIZED
    (SELECT name, type FROM pragma_table_list WHERE schema = '${SCHEMA}' AND type <> 'shadow')
  SELECT CAST(s.rowid AS TEXT), s.name, l.type FROM sqlite_schema s JOIN listed l ON l.name = s.name
  WHERE s.rowid >= CAST(?1 AS INTEGER) AND s.type IN ('table', 'view')
    AND lower(substr(s.name, 1, 7)) <> 'sqlite_'
    AND (?2 IS NULL OR s.name GLOB ?2 OR '${SCHEMA}.' || s.name GLOB ?2)
  ORDER BY s.rowid LIMIT ?3`;
/** Texts may have any length: what is beyond an answer is not sent. */
const COLUMNS = `SELECT substr(name, 1, 300), substr(type, 1, 300), "notnull",
    substr(dflt_value, 1, 300), pk, hidden
  FROM pragma_table_xinfo(?1, '${SCHEMA}') ORDER BY cid`;
const FOREIGN_KEYS =
  `SELECT id, substr("from", 1, 300), substr("table", 1, 300), substr("to", 1, 300)
  FROM pragma_foreign_key_list(?1, '${SCHEMA}') ORDER BY id, seq`;
const INDEXES = `SELECT l.seq, substr(l.name, 1, 300), l."unique", l.partial,
    substr(x.name, 1, 300)
  FROM pragma_index_list(?1, '${SCHEMA}') l, pragma_index_xinfo(l.name, '${SCHEMA}') x
  WHERE l.origin <> 'pk' AND x.key = 1 ORDER BY l.seq, x.seqno`;
const HAS_STATISTICS = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'";
const STATISTICS = "SELECT max(CAST(stat AS INTEGER)) FROM sqlite_stat1 WHERE tbl = ?1";
/** How `pragma_table_xinfo` tells columns apart (sqlite.org, PRAGMA table_xinfo). */
const HIDDEN = 1;

/** Reads the tables of an SQLite file from a position on, in the order of its catalog. */
export async function* sqliteTables(
  ask: Ask,
  { pattern, detail, from }: TableRequest,
): AsyncGenerator<FoundTable> {
  const glob = pattern?.replaceAll(/[?[]/g, "[$&]") ?? null;
  const hasStatistics = (await ask(HAS_STATISTICS, [])).length > 0;
  let next = from;
  for (;;) {
    const rows = await ask(TABLES, [next, glob, AT_ONCE]);
    for (const [id, name, type] of rows) {
      const table = { id: String(id), name: String(name), type: String(type) };
      yield await describe(ask, table, { detail, hasStatistics });
      next = String(BigInt(table.id) + 1n);
    }
    if (rows.length === 0) return;
  }
}

async function describe(
  ask: Ask,
  { id, name, type }: { readonly id: string; readonly name: string; readonly type: string },
  { detail, hasStatistics }: Pick<TableRequest, "detail"> & { readonly hasStatistics: boolean },
): Promise<FoundTable> {
  const head = {
    schema: SCHEMA,
    name: cutName(name),
    type: type === "virtual" ? "virtual table" : type,
    ...(type === "table" ? await countRows(ask, name, hasStatistics) : {}),
  };
  const none = { id, head, columns: [], foreignKeys: [], indexes: [] };
  if (detail === "names") return none;
  try {
    const columns = await ask(COLUMNS, [name]);
    const key = keyOf(columns);
    const described = {
      ...none,
      head: key.length > 0 ? { ...head, primaryKey: cutNames(key) } : head,
      columns: toColumns(columns, type),
    };
    if (detail === "columns") return described;
    const foreignKeys = groupById(await ask(FOREIGN_KEYS, [name])).map(toForeignKey);
    const indexes = groupById(await ask(INDEXES, [name])).map(toIndex);
    return { ...described, foreignKeys, indexes };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "SQLITE_ERROR") throw error;
    return { ...none, head: { ...head, error: cutName(String(error.cause)) } };
  }
}

/** The rows that statistics know of, or else a count that ends soon. */
async function countRows(
  ask: Ask,
  name: string,
  hasStatistics: boolean,
): Promise<Pick<FoundTable["head"], "rows" | "rowsFrom" | "moreRows">> {
  const [[known] = []] = hasStatistics ? await ask(STATISTICS, [name]) : [];
  if (typeof known === "number") return { rows: known, rowsFrom: "sqlite_stat1" };
  const from = `${SCHEMA}."${name.replaceAll('"', '""')}"`;
  const text = `SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED + 1})`;
  const count = Number((await ask(text, []))[0]?.[0]);
  if (count <= MOST_COUNTED) return { rows: count, rowsFrom: "count" };
  return { rows: MOST_COUNTED, rowsFrom: "count", moreRows: true };
}

/** The columns of the primary key, in its order. */
function keyOf(columns: readonly JsonValue[][]): string[] {
  return columns.filter(([, , , , key]) => Number(key) > 0)
    .sort((one, other) => Number(one[4]) - Number(other[4])).map(([name]) => String(name));
}

/** A key of one INTEGER is the row's number, which is never NULL, although it says nothing of it. */
function toColumns(columns: readonly JsonValue[][], type: string): FoundTable["columns"] {
  const isOnlyKey = keyOf(columns).length === 1;
  return columns.filter(([, , , , , hidden]) => hidden !== HIDDEN)
    .map(([name, ofColumn, notNull, value, key, hidden]) => {
      const isRowNumber = isOnlyKey && key === 1 && /^integer$/i.test(String(ofColumn));
      const nullable = type === "table" && notNull === 0 && !isRowNumber;
      return {
        name: cutName(String(name)),
        type: cutName(String(ofColumn)),
        ...(nullable ? { nullable } : {}),
        ...(value === null || value === undefined ? {} : { default: cutName(String(value)) }),
        ...(Number(hidden) > HIDDEN ? { generated: true } : {}),
      };
    });
}

/** The rows of each key or index, which begin with its number. */
function groupById(rows: readonly JsonValue[][]): JsonValue[][][] {
  return [...Map.groupBy(rows, ([id]) => id).values()];
}

function toForeignKey(rows: readonly JsonValue[][]): FoundTable["foreignKeys"][number] {
  const to = rows.flatMap(([, , , to]) => typeof to === "string" ? [to] : []);
  return {
    columns: cutNames(rows.map(([, from]) => String(from))),
    table: cutName(`${SCHEMA}.${rows[0]?.[2]}`),
    ...(to.length > 0 ? { to: cutNames(to) } : {}),
  };
}

/** The columns of an index; SQLite does not tell an expression. */
function toIndex(rows: readonly JsonValue[][]): IndexSchema {
  const [[, name, unique, partial] = []] = rows;
  return {
    name: cutName(String(name)),
    on: cutNames(
      rows.map(([, , , , column]) => typeof column === "string" ? column : "(expression)"),
    ),
    ...(unique === 1 ? { unique: true } : {}),
    ...(partial === 1 ? { partial: true } : {}),
  };
}
