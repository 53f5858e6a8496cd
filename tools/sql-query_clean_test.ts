import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { cpuUsage } from "node:process";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";
import { times } from "../test_support/tier.ts";

const { ignore, name } = requires("postgresql", "PostgreSQL");
const pg = ignore ? undefined : await startPostgres();
if (pg) addEventListener("unload", () => void pg.kill());
const MIB = 1_048_576;

/** A test whose batches share one connection, so that each would see what the previous one left. */
function test(what: string, fn: (tool: SqlTool) => Promise<void>): void {
  Deno.test({
    name: `sql-query on PostgreSQL ${what}${ignore ? ` (${name})` : ""}`,
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      await using tool = await createSqlTool({ DATABASE_URL: pg?.url() ?? "" });
      await fn(tool);
      const last = await tool.batch(["SELECT 1 AS a", "SELECT 2 AS a", "SELECT 3 AS a"]);
      deepStrictEqual(last.results.map(({ rows }) => rows), [[{ a: 1 }], [{ a: 2 }], [{ a: 3 }]]);
      strictEqual(last.rolledBack, undefined);
    },
  });
}

/** Returns each query's error code or its rows. */
async function outcomesOf(tool: SqlTool, queries: string[], params: unknown[][] = []) {
  const { results } = await tool.batch(queries, { params });
  return results.map(({ error, rows }) => error?.code ?? rows);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

test("hides a transaction from the next batch, whatever its parameters are", async (tool) => {
  await tool.rows("CREATE TABLE kept (id int)");
  for (const depth of [7, 64, 100]) {
    const codes = await outcomesOf(tool, [
      "BEGIN",
      "INSERT INTO kept VALUES (1)",
      "SELECT $1::text",
    ], [
      [],
      [],
      [nested(depth)],
    ]);
    deepStrictEqual(codes, [[], [], "54000"]);
    deepStrictEqual(await tool.rows("INSERT INTO kept VALUES (2)"), []);
  }
  deepStrictEqual(await tool.rows("SELECT sum(id) AS sum FROM kept"), [{ sum: "6" }]);
  deepStrictEqual(await outcomesOf(tool, ["SELECT $1::int[]"], [[nested(6)]]), [[{
    int4: nested(6),
  }]]);
});

test("stays in sync when a commit fails after its statement", async (tool) => {
  await tool.batch([
    "CREATE TABLE parents (id int PRIMARY KEY)",
    "CREATE TABLE children (id int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
  ]);
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const queries = numbers.flatMap((n) => ["INSERT INTO children VALUES (9)", `SELECT ${n} AS a`]);
  deepStrictEqual(await outcomesOf(tool, queries), numbers.flatMap((a) => ["23503", [{ a }]]));
});

/** Runs queries that take a while, with time enough for a busy machine. */
async function resultsOf(tool: SqlTool, queries: readonly string[]) {
  const [batch] = await tool.call({ batches: [{ queries }], timeoutMs: 120_000 });
  return batch?.results ?? [];
}

test("rejects a row that is too large to return, and doesn't buffer it", async (tool) => {
  await tool.rows("SELECT 1");
  const before = Deno.memoryUsage().rss;
  const results = await resultsOf(tool, [
    "BEGIN",
    "SELECT repeat('x', 400000000) AS x",
    "SELECT repeat('x', n * 1000000) AS x FROM unnest(ARRAY[1, 50]) n",
    "SELECT repeat('ä', 1000000) AS x",
    "SELECT 2 AS a",
  ]);
  const grown = (Deno.memoryUsage().rss - before) / MIB;
  strictEqual(grown < 600, true, `${grown} MiB`);
  const [, huge, cut, wide, next] = results;
  strictEqual(huge?.error?.code, "ROW_TOO_LARGE");
  match(huge?.error?.message ?? "", /^Cannot answer a row of 400000006 bytes/);
  deepStrictEqual([cut?.rows.length, cut?.truncated], [1, true]);
  strictEqual(wide?.rows[0]?.x, "ä".repeat(1_000_000));
  deepStrictEqual(next?.rows, [{ a: 2 }]);
});

const NOTICES = times(30_000, 300_000);

test("buffers no notices, notifications or copied data, and cuts long errors", async (tool) => {
  const before = Deno.memoryUsage().rss;
  const cpuBefore = cpuUsage();
  const block = (body: string) => `DO $$ BEGIN ${body}; END $$`;
  const results = await resultsOf(tool, [
    block(`FOR i IN 1..${NOTICES} LOOP RAISE NOTICE '%', repeat('y', 100); END LOOP`),
    "SET client_min_messages = notice",
    block("RAISE NOTICE '%', repeat('y', 200000000)"),
    "COPY (SELECT repeat('x', 100000000)) TO STDOUT",
    "LISTEN a",
    block("FOR i IN 1..1000 LOOP PERFORM pg_notify('a', i || repeat('x', 7000)); END LOOP"),
    block("RAISE EXCEPTION '%', repeat('ä', 50000000) USING HINT = 'none', ERRCODE = 'ZZZZZ'"),
    block("RAISE EXCEPTION 'short' USING DETAIL = repeat('d', 10000), HINT = repeat('h', 10000)"),
  ]);
  const { user, system } = cpuUsage(cpuBefore);
  strictEqual(user + system < 5_000_000, true, `${user + system} µs`);
  const grown = (Deno.memoryUsage().rss - before) / MIB;
  strictEqual(grown < 250, true, `${grown} MiB`);
  const codes = results.map(({ error }) => error?.code);
  const silent = [undefined, undefined, undefined];
  deepStrictEqual(codes, [...silent, "0A000", undefined, undefined, "ZZZZZ", "P0001"]);
  match(results[6]?.error?.message ?? "", /^ä{2048}\.\.\.$/);
  const { message, detail, hint } = results[7]?.error ?? {};
  deepStrictEqual([message, detail?.length, hint?.length], ["short", 2_051, 2_051]);
});

test("returns text unchanged, or rejects it", async (tool) => {
  deepStrictEqual(
    await outcomesOf(tool, [
      "SELECT $1::text",
      "SELECT $1::text[]",
      "SELECT '\ud800'",
      'SELECT 1 AS "\udc00"',
      "SELECT $1::text",
      "SELECT $1::json AS a",
      "SELECT $1::text AS a",
    ], [["\ud800"], [["\udc00"]], [], [], ["a\0b"], [{ "\ud800": "\udc00\0" }], [
      "\ufeff😀\ufffd",
    ]]),
    [
      "INVALID_TEXT",
      "INVALID_TEXT",
      "INVALID_TEXT",
      "INVALID_TEXT",
      "22021",
      [{ a: { "\ud800": "\udc00\0" } }],
      [{ a: "\ufeff😀\ufffd" }],
    ],
  );
});

test("reads no text in another encoding than UTF-8", async (tool) => {
  const queries = [
    "SET client_encoding = 'LATIN1'",
    "SELECT chr(228) AS a",
    "BEGIN",
    "SELECT set_config('client_encoding', 'LATIN1', true), chr(228) AS a",
    "SELECT $1::text AS a, chr(228) AS b",
  ];
  const refused = "INVALID_TEXT";
  deepStrictEqual(await outcomesOf(tool, queries, [[], [], [], [], ["ä"]]), [
    refused,
    [{ a: "ä" }],
    [],
    refused,
    [{ a: "ä", b: "ä" }],
  ]);
});

test("sends as many parameters as the protocol allows, and no more", async (tool) => {
  const values = (count: number) => Array.from({ length: count }, () => 1);
  const list = Array.from({ length: 65_535 }, (_, at) => `$${at + 1}::int`).join(",");
  deepStrictEqual(
    await outcomesOf(tool, [`SELECT 1 AS a WHERE 1 IN (${list})`, "SELECT 1", "SELECT 1"], [
      values(65_535),
      values(65_536),
      values(70_000),
    ]),
    [[{ a: 1 }], "54000", "54000"],
  );
});

test("binds parameters in the engine", async ({ rows, batch }) => {
  const text = "'; DROP TABLE x; --";
  const query =
    "SELECT $1::text AS a, $2::int8 AS b, $3::int4[] AS c, $4::jsonb AS d, $5::bool AS e, $6::text AS f, $7::text[] AS g";
  const values = [text, "9223372036854775807", [1, null, 3], { k: [1] }, true, null, [
    'a"b',
    "c\\d",
    "NULL",
  ]];
  const [row] = await rows(query, values);
  deepStrictEqual(row, {
    a: text,
    b: "9223372036854775807",
    c: [1, null, 3],
    d: { k: [1] },
    e: true,
    f: null,
    g: ['a"b', "c\\d", "NULL"],
  });
  const { results } = await batch(["SELECT $1::int"], { params: [[]] });
  strictEqual(results[0]?.error?.code, "08P01");
});

test("rolls back what a batch leaves open, and reports it", async ({ batch, rows }) => {
  await rows("CREATE TABLE left_open (id int)");
  const left = await batch(["BEGIN", "INSERT INTO left_open VALUES (1)"]);
  strictEqual(left.rolledBack, true);
  const failing = await batch(["BEGIN", "SELECT 1/0", "INSERT INTO left_open VALUES (2)"]);
  deepStrictEqual(failing.results.map(({ error }) => error?.code), [undefined, "22012", "25P02"]);
  strictEqual(failing.rolledBack, true);
  const done = await batch(["BEGIN", "INSERT INTO left_open VALUES (3)", "COMMIT"]);
  strictEqual(done.rolledBack, undefined);
  deepStrictEqual(await rows("SELECT id FROM left_open"), [{ id: 3 }]);
  await rows("DROP TABLE left_open");
});

test("resets everything before the next batch", async ({ batch, rows }) => {
  await rows("CREATE ROLE nobody_special");
  const { results: [pid] } = await batch([
    "SELECT pg_backend_pid() AS pid",
    "SET search_path = nowhere",
    "SET statement_timeout = 1",
    "CREATE TEMP TABLE secret (a int)",
    "SELECT pg_advisory_lock(42)",
    "PREPARE p AS SELECT 1",
    "SET SESSION AUTHORIZATION nobody_special",
    "BEGIN",
  ]);
  const [next] = await rows(
    `SELECT pg_backend_pid() AS pid, current_user AS who, current_setting('search_path') AS path,
      current_setting('statement_timeout') AS time, to_regclass('pg_temp.secret') AS secret,
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,
      (SELECT count(*) FROM pg_prepared_statements) AS prepared`,
  );
  deepStrictEqual(next, {
    pid: pid?.rows[0]?.pid,
    who: "tester",
    path: '"$user", public',
    time: "15s",
    secret: null,
    locks: "0",
    prepared: "0",
  });
  await rows("DROP ROLE nobody_special");
});
