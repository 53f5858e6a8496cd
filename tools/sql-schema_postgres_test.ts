import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import {
  callRegisteredTool,
  outputOf,
  refusalOf,
  registerTool,
} from "../mcp_server/testing/call_tool.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { requires } from "../test_support/services.ts";
import sqlSchema from "./sql-schema.ts";

const SETUP = `
CREATE SCHEMA "Odd ""one";
CREATE TYPE mood AS ENUM ('ok');
CREATE TABLE city (id int GENERATED ALWAYS AS IDENTITY, name text NOT NULL DEFAULT 'it''s',
  pop bigint, m mood[], twice bigint GENERATED ALWAYS AS (pop * 2) STORED, gone int,
  PRIMARY KEY (id), UNIQUE (name, pop));
ALTER TABLE city DROP COLUMN gone;
CREATE INDEX big ON city (lower(name), pop DESC) WHERE pop > 1;
CREATE TABLE "Odd ""one"."a""b
C" (x int REFERENCES city, y text, z bigint, FOREIGN KEY (y, z) REFERENCES city (name, pop));
CREATE TABLE part (a int) PARTITION BY RANGE (a);
CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10);
CREATE VIEW names AS SELECT name FROM city;
CREATE MATERIALIZED VIEW kept AS SELECT 1 AS one;
CREATE TABLE hostile (a text DEFAULT '${'\\"x'.repeat(20_000)}');
INSERT INTO part SELECT 1 FROM generate_series(1, 5);
ANALYZE part_1`;

function test(what: string, fn: (pg: Awaited<ReturnType<typeof startPostgres>>) => Promise<void>) {
  Deno.test({
    ...requires("postgresql", `sql-schema on PostgreSQL ${what}`),
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using pg = await startPostgres();
      await fn(pg);
    },
  });
}

async function openTool(url: string) {
  const hooks: (() => void | Promise<void>)[] = [];
  const tool = await registerTool(sqlSchema, "sql-schema", {
    env: { DATABASE_URL: url },
    onShutdown: (end) => void hooks.push(end),
  });
  type Options = Parameters<typeof callRegisteredTool>[2];
  const call = (args: object, options?: Options) => callRegisteredTool(tool, args, options);
  const read = async (args: object, options?: Options) =>
    JSON.parse(JSON.stringify(outputOf(await call(args, options))));
  return {
    call,
    read,
    [Symbol.asyncDispose]: async () => {
      for (const hook of hooks) await hook();
    },
  };
}

test("describes tables, views and partitions", async (pg) => {
  await pg.ask(SETUP);
  await using tool = await openTool(pg.url());
  const caller = boundedCaller({ databases: { "*": "ro" } });
  const { database, dialect, tables } = await tool.read({ detail: "full" }, { caller });
  deepStrictEqual([database, dialect], ["postgres", "postgresql"]);
  const [city, odd, part, first, names, kept, hostile] = tables;
  deepStrictEqual(city, {
    schema: "public",
    name: "city",
    type: "table",
    primaryKey: ["id"],
    columns: [
      { name: "id", type: "integer", default: "identity" },
      { name: "name", type: "text", default: "'it''s'::text" },
      { name: "pop", type: "bigint", nullable: true },
      { name: "m", type: "mood[]", nullable: true },
      { name: "twice", type: "bigint", nullable: true, default: "(pop * 2)", generated: true },
    ],
    indexes: [
      { name: "big", on: ["lower(name)", "pop"], partial: true },
      { name: "city_name_pop_key", on: ["name", "pop"], unique: true },
    ],
  });
  deepStrictEqual([odd.schema, odd.name], ['Odd "one', 'a"b\nC']);
  deepStrictEqual(odd.foreignKeys, [
    { columns: ["x"], table: "public.city", to: ["id"] },
    { columns: ["y", "z"], table: "public.city", to: ["name", "pop"] },
  ]);
  deepStrictEqual([part.type, part.rows], ["partitioned table", undefined]);
  deepStrictEqual([first.partitionOf, first.rows, first.rowsFrom], ["public.part", 5, "reltuples"]);
  deepStrictEqual([names.type, names.columns], ["view", [{ name: "name", type: "text" }]]);
  strictEqual(kept.type, "materialized view");
  match(hostile.columns[0].default, /^'\\+"x.{200,}\.\.\.$/);
  strictEqual(tables.length, 7);
});

test("finds tables by a pattern, on pages, and never those of the catalog", async (pg) => {
  await pg.ask(
    `CREATE SCHEMA many; CREATE TABLE wide (${
      Array.from({ length: 1_500 }, (_, at) => `a_long_name_of_a_column_${at} numeric(10, 2)`)
    })`,
  );
  await pg.ask(`DO $$ BEGIN FOR i IN 1..1000 LOOP
    EXECUTE format('CREATE TABLE many.t_%s (a int, b text)', i); END LOOP; END $$`);
  await using tool = await openTool(pg.url());
  const all = async (args: object) => {
    const found: { schema: string; name: string; columns?: object[] }[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const page = await tool.read({ ...args, cursor });
      ok(JSON.stringify(page).length <= 32 * 1024);
      found.push(...page.tables);
      cursor = page.nextCursor;
      more = cursor !== undefined;
    }
    return found;
  };
  const wide = await all({ pattern: "wide" });
  ok(wide.length > 2);
  strictEqual(wide.flatMap(({ columns = [] }) => columns).length, 1_500);
  const many = await all({ detail: "columns", pattern: "many.*" });
  deepStrictEqual(
    many.map(({ name }) => name),
    Array.from({ length: 1_000 }, (_, at) => `t_${at + 1}`),
  );
  strictEqual((await all({ pattern: "tX*" })).length, 0);
  strictEqual((await all({ pattern: "t_100*" })).length, 2);
  const schemas = new Set((await all({ detail: "names" })).map(({ schema }) => schema));
  deepStrictEqual([...schemas].sort(), ["many", "public"]);
});

test("ends when its time is over, and names the databases that there are", async (pg) => {
  await using tool = await openTool(pg.url());
  deepStrictEqual((await tool.read({})).tables, []);
  const { code, message } = refusalOf(await tool.call({ database: "postgers" }));
  deepStrictEqual([code, message], [
    "3D000",
    'Cannot read the schema of "postgers": database "postgers" does not exist; ' +
    "Databases that you may use: postgres",
  ]);
  await pg.ask("CREATE TABLE t (a int)");
  const held = pg.ask("BEGIN; LOCK pg_attrdef; SELECT pg_sleep(60)").catch(String);
  await pg.until(
    "SELECT count(*) FROM pg_locks WHERE relation = 'pg_attrdef'::regclass AND granted",
    "1",
  );
  const late = refusalOf(await tool.call({}, { limits: { maxTimeoutMs: 300 } }));
  match(late.code, /^(57014|55P03)$/);
  await pg.ask(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%'",
  );
  await held;
});
