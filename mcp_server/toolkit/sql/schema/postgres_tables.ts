import type { JsonValue } from "../../../shared/json.ts";
import { type Ask, cutName, cutNames, type FoundTable, type TableRequest } from "./schema_page.ts";

/** How many tables a query reads: names are short. */
const AT_ONCE = { names: 500, columns: 50, full: 50 };

const TYPES: Readonly<Record<string, string>> = {
  r: "table",
  p: "partitioned table",
  v: "view",
  m: "materialized view",
  f: "foreign table",
};

/** The attributes that an array of numbers names, in its order. */
const NAMES = (relation: string, numbers: string) =>
  `(SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(${numbers}) WITH ORDINALITY k(num, at)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.num)`;

/** An expression may be as long as a text: what is beyond an answer is not sent. */
const COLUMNS = `(SELECT json_agg(json_build_array(a.attname,
    pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull AND c.relkind NOT IN ('v', 'm'),
    left(pg_catalog.pg_get_expr(d.adbin, d.adrelid), 300), a.attgenerated <> '',
    a.attidentity <> '') ORDER BY a.attnum)
  FROM pg_catalog.pg_attribute a
  LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)`;
const PRIMARY_KEY = `(SELECT ${NAMES("c.oid", "p.conkey")} FROM pg_catalog.pg_constraint p
  WHERE p.conrelid = c.oid AND p.contype = 'p')`;
const FOREIGN_KEYS = `(SELECT json_agg(json_build_array(${NAMES("c.oid", "f.conkey")},
    tn.nspname, t.relname, ${NAMES("t.oid", "f.confkey")}) ORDER BY f.conname)
  FROM pg_catalog.pg_constraint f JOIN pg_catalog.pg_class t ON t.oid = f.confrelid
  JOIN pg_catalog.pg_namespace tn ON tn.oid = t.relnamespace
  WHERE f.conrelid = c.oid AND f.contype = 'f')`;
const INDEXES = `(SELECT json_agg(json_build_array(i.relname, x.indisunique,
    x.indpred IS NOT NULL,
    (SELECT json_agg(left(pg_catalog.pg_get_indexdef(x.indexrelid, k, true), 300) ORDER BY k)
      FROM generate_series(1, x.indnkeyatts) k)) ORDER BY i.relname)
  FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
  WHERE x.indrelid = c.oid AND NOT x.indisprimary)`;
const PARTITION_OF = `(SELECT pn.nspname || '.' || pc.relname FROM pg_catalog.pg_inherits h
  JOIN pg_catalog.pg_class pc ON pc.oid = h.inhparent
  JOIN pg_catalog.pg_namespace pn ON pn.oid = pc.relnamespace
  WHERE c.relispartition AND h.inhrelid = c.oid LIMIT 1)`;

const QUERIES = {
  names: toQuery("NULL", "NULL", "NULL", "NULL"),
  columns: toQuery(PRIMARY_KEY, COLUMNS, "NULL", "NULL"),
  full: toQuery(PRIMARY_KEY, COLUMNS, FOREIGN_KEYS, INDEXES),
};

/** In the order of object ids, whose index serves a page of any catalog quickly. */
function toQuery(...lists: readonly string[]): string {
  return `SELECT c.oid::text, n.nspname, c.relname, c.relkind::text,
      CASE WHEN c.relkind IN ('r', 'p', 'm') AND c.reltuples >= 0 THEN c.reltuples::float8 END,
      ${PARTITION_OF}, ${lists.join(", ")}
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid >= $1::oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND ($2::text IS NULL OR c.relname::text LIKE $2 OR n.nspname || '.' || c.relname LIKE $2)
    ORDER BY c.oid LIMIT $3`;
}

/** Reads the tables of PostgreSQL from a position on, in the order in which they were created. */
export async function* postgresTables(
  ask: Ask,
  { pattern, detail, from }: TableRequest,
): AsyncGenerator<FoundTable> {
  const like = pattern?.replaceAll(/[\\%_]/g, "\\$&").replaceAll("*", "%") ?? null;
  let next = from;
  for (;;) {
    const rows = await ask(QUERIES[detail], [next, like, AT_ONCE[detail]]);
    for (const row of rows) {
      const table = toTable(row);
      yield table;
      next = String(Number(table.id) + 1);
    }
    if (rows.length === 0) return;
  }
}

function toTable(row: readonly JsonValue[]): FoundTable {
  const [id, schema, name, kind, rows, partitionOf, primaryKey, columns, keys, indexes] = row;
  const key = toNames(primaryKey);
  return {
    id: String(id),
    head: {
      schema: cutName(String(schema)),
      name: cutName(String(name)),
      type: TYPES[String(kind)] ?? "table",
      ...(typeof partitionOf === "string" ? { partitionOf: cutName(partitionOf) } : {}),
      ...(typeof rows === "number" ? { rows, rowsFrom: "reltuples" } : {}),
      ...(key.length > 0 ? { primaryKey: key } : {}),
    },
    columns: toLists(columns).map(([name, type, nullable, value, generated, identity]) => ({
      name: cutName(String(name)),
      type: cutName(String(type)),
      ...(nullable === true ? { nullable } : {}),
      ...(identity === true ? { default: "identity" } : {}),
      ...(typeof value === "string" ? { default: cutName(value) } : {}),
      ...(generated === true ? { generated } : {}),
    })),
    foreignKeys: toLists(keys).map(([names, schema, table, to]) => ({
      columns: toNames(names),
      table: cutName(`${schema}.${table}`),
      to: toNames(to),
    })),
    indexes: toLists(indexes).map(([name, unique, partial, on]) => ({
      name: cutName(String(name)),
      on: toNames(on),
      ...(unique === true ? { unique } : {}),
      ...(partial === true ? { partial } : {}),
    })),
  };
}

function toNames(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? cutNames(value.map(String)) : [];
}

function toLists(value: JsonValue | undefined): JsonValue[][] {
  return Array.isArray(value) ? value.filter((entry) => Array.isArray(entry)) : [];
}
