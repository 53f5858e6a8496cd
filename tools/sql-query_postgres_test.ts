import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { PASSWORD, startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";

const { ignore, name } = requires("postgresql", "PostgreSQL");
const pg = ignore ? undefined : await startPostgres();
if (pg) {
  addEventListener("unload", () => void pg.kill());
  await pg.ask("CREATE DATABASE other");
}

/** A test with the tool on the running server. */
function test(what: string, fn: (tool: Tool, server: Server) => Promise<void>): void {
  const call = async () => {
    if (pg === undefined) return;
    await using tool = await createSqlTool({ DATABASE_URL: pg.url() });
    await fn(tool, pg);
  };
  const checks = { sanitizeOps: false, sanitizeResources: false };
  Deno.test({
    name: `sql-query ${what}${ignore ? ` (${name})` : ""}`,
    ignore,
    fn: call,
    ...checks,
  });
}
type Tool = Awaited<ReturnType<typeof createSqlTool>>;
type Server = Awaited<ReturnType<typeof startPostgres>>;

const VALUES: readonly [expression: string, value: unknown][] = [
  ["9223372036854775807::int8", "9223372036854775807"],
  ["(-9223372036854775808)::int8", "-9223372036854775808"],
  ["2147483647::int4", 2147483647],
  ["7::int2", 7],
  ["1234567890123456789012345678901234567890::numeric", "1234567890123456789012345678901234567890"],
  ["1.10::numeric(5,2)", "1.10"],
  ["'NaN'::numeric", "NaN"],
  ["0.1::float8", 0.1],
  ["1e-300::float8", 1e-300],
  ["0.1::float4", 0.1],
  ["'NaN'::float8", "NaN"],
  ["'Infinity'::float8", "Infinity"],
  ["'-Infinity'::float4", "-Infinity"],
  ["true", true],
  ["NULL::text", null],
  ["'\\x00ff10'::bytea", "AP8Q"],
  ["'\\x'::bytea", ""],
  ["'2024-02-29 23:59:59.123456'::timestamp", "2024-02-29T23:59:59.123456"],
  ["'2024-03-31 02:30:00'::timestamp", "2024-03-31T02:30:00"],
  ["'2024-02-29 23:59:59.000001+05:30'::timestamptz", "2024-02-29T18:29:59.000001Z"],
  ["'2024-02-29'::date", "2024-02-29"],
  ["'0044-03-15 BC'::date", "-000043-03-15"],
  ["'12024-01-01 00:00:00'::timestamp", "+012024-01-01T00:00:00"],
  ["'infinity'::timestamptz", "infinity"],
  ["'23:59:59.999999'::time", "23:59:59.999999"],
  [`'{"a": [1, 9223372036854775807, 1.5, null], "b": "x"}'::json`, {
    a: [1, "9223372036854775807", 1.5, null],
    b: "x",
  }],
  ["'[1, {\"k\": true}]'::jsonb", [1, { k: true }]],
  ["ARRAY[1,2,NULL]::int4[]", [1, 2, null]],
  ["ARRAY[9223372036854775807]::int8[]", ["9223372036854775807"]],
  ["ARRAY[[1,2],[3,4]]::int4[]", [[1, 2], [3, 4]]],
  ["'[0:1]={1,2}'::int4[]", [1, 2]],
  ["'{}'::text[]", []],
  [`ARRAY['a,b', 'c"d', '{e}', 'NULL', '', 'f\\g']`, ["a,b", 'c"d', "{e}", "NULL", "", "f\\g"]],
  ["ARRAY['\\x00ff'::bytea]", ["AP8="]],
  ["ARRAY['2024-01-01 00:00:00.5'::timestamp]", ["2024-01-01T00:00:00.5"]],
  [`ARRAY['{"a": 1}'::jsonb]`, [{ a: 1 }]],
  ["ARRAY['(1,1),(0,0)'::box, '(2,2),(1,1)'::box]", ["(1,1),(0,0)", "(2,2),(1,1)"]],
  ["'550e8400-e29b-41d4-a716-446655440000'::uuid", "550e8400-e29b-41d4-a716-446655440000"],
  ["'1 year 2 mons'::interval", "1 year 2 mons"],
];

test("returns values of every type without loss", async ({ call }) => {
  const queries = VALUES.map(([expression]) => `SELECT ${expression} AS v`);
  const [batch] = await call({ batches: [{ queries }] });
  for (const [at, [expression, value]] of VALUES.entries()) {
    const { rows = [], error } = batch?.results[at] ?? {};
    deepStrictEqual([expression, rows, error], [expression, [{ v: value }], undefined]);
  }
});

test("reads arrays of an enumeration and of a domain as arrays", async ({ batch }) => {
  const { results } = await batch([
    "CREATE TYPE mood AS ENUM ('ok', 'so so')",
    "CREATE DOMAIN big AS int8",
    "SELECT ARRAY['so so', 'ok']::mood[] AS m, ARRAY[1]::big[] AS b, 2::big AS c, 'ok'::mood AS o",
    "DROP TYPE mood",
    "DROP DOMAIN big",
  ]);
  deepStrictEqual(results[2]?.rows, [{ m: ["so so", "ok"], b: ["1"], c: "2", o: "ok" }]);
});

test(
  "keeps columns with the same name, and values under any settings of the role",
  async (tool, { ask }) => {
    const columns = await tool.rows("SELECT 1 AS id, 2 AS id, 3 AS id_2, 4 AS id, 5 AS __proto__");
    strictEqual(JSON.stringify(columns), '[{"id":1,"id_3":2,"id_2":3,"id_4":4,"__proto__":5}]');
    await ask(
      "ALTER ROLE tester SET DateStyle = 'SQL, DMY'; ALTER ROLE tester SET TimeZone = 'Asia/Tokyo'; ALTER ROLE tester SET bytea_output = 'escape'",
    );
    await using other = await createSqlTool({ DATABASE_URL: pg?.url() ?? "" });
    const [row] = await other.rows(
      "SELECT '2024-01-02T03:04:05.000001Z'::timestamptz t, '\\x005c61ff'::bytea b",
    );
    await ask("ALTER ROLE tester RESET ALL");
    deepStrictEqual(row, { t: "2024-01-02T03:04:05.000001Z", b: "AFxh/w==" });
  },
);

test("reports SQLSTATE, detail, hint and position, and continues", async ({ batch }) => {
  const { results, rolledBack } = await batch([
    "CREATE TEMP TABLE t (id int PRIMARY KEY)",
    "INSERT INTO t VALUES (1), (2)",
    "INSERT INTO t VALUES (1)",
    "SELECT lenght('a')",
    "SELECT 1; DROP TABLE t",
    "UPDATE t SET id = id + 10",
    "-- nothing",
    "SHOW TimeZone",
    "COPY t FROM STDIN",
    "COPY t TO STDOUT",
    "DELETE FROM t RETURNING id",
  ]);
  const outcomes = results.map(({ error, rowCount, rows }) => error?.code ?? [rowCount, rows]);
  deepStrictEqual(outcomes, [
    [0, []],
    [2, []],
    "23505",
    "42883",
    "42601",
    [2, []],
    [0, []],
    [1, [{ TimeZone: "UTC" }]],
    "57014",
    "0A000",
    [2, [{ id: 11 }, { id: 12 }]],
  ]);
  strictEqual(results[2]?.error?.detail, "Key (id)=(1) already exists.");
  strictEqual(results[3]?.error?.position, 8);
  strictEqual(typeof results[3]?.error?.hint, "string");
  strictEqual(results.every(({ success, error }) => success === (error === undefined)), true);
  strictEqual(rolledBack, undefined);
});

test(
  "runs batches on several databases at once, and only the one of a missing database fails",
  async (tool, { until }) => {
    await until(OPEN, "0");
    const untilThree = `DO $$ BEGIN WHILE (${OPEN}) < 3 LOOP
    PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP; END $$`;
    const results = await tool.call({
      batches: ["postgres", "other", "nowhere", "other"].map((database) => ({
        database,
        queries: [untilThree, "SELECT current_database() AS d"],
      })),
    });
    const outcomes = results.map(({ database, results: [first, last] }) => [
      database,
      last?.rows[0]?.d,
      first?.success,
    ]);
    deepStrictEqual(outcomes, [["postgres", "postgres", true], ["other", "other", true], [
      "nowhere",
      undefined,
      false,
    ], ["other", "other", true]]);
    deepStrictEqual(results[2]?.results.map(({ error }) => error?.code), ["3D000", "3D000"]);
  },
);

test("cuts at maxRows and at 1 MiB, and reports it", async ({ call, rows }) => {
  const numbers = "SELECT n FROM generate_series(1, 5000) n";
  const sizes: [object, number][] = [[{}, 1000], [{ maxRows: 1 }, 1], [{ maxRows: 4999 }, 4999]];
  for (const [more, size] of sizes) {
    const [batch] = await call({ batches: [{ queries: [numbers] }], ...more });
    const [result] = batch?.results ?? [];
    deepStrictEqual([result?.rows.length, result?.rowCount, result?.truncated], [size, size, true]);
  }
  const [whole] = await call({ batches: [{ queries: [numbers] }], maxRows: 5000 });
  deepStrictEqual([whole?.results[0]?.rows.length, whole?.results[0]?.truncated], [
    5000,
    undefined,
  ]);
  const [wide] = await call({
    batches: [{ queries: ["SELECT repeat('x', 100000) AS x FROM generate_series(1, 50)"] }],
  });
  deepStrictEqual([wide?.results[0]?.rows.length, wide?.results[0]?.truncated], [10, true]);
  await rows("CREATE TABLE many (n int)");
  const [written] = await call({
    batches: [{ queries: [`INSERT INTO many ${numbers} RETURNING n`] }],
    maxRows: 9000,
  });
  deepStrictEqual([written?.results[0]?.rowCount, written?.results[0]?.rows.length], [5000, 5000]);
  await rows("DROP TABLE many");
});

test("reads 5 million rows with flat memory", async ({ call }) => {
  const before = Deno.memoryUsage().rss;
  const [batch] = await call({
    batches: [{ queries: ["SELECT n, md5(n::text) FROM generate_series(1, 5000000) n"] }],
    maxRows: 100_000,
  });
  strictEqual(batch?.results[0]?.truncated, true);
  strictEqual(batch?.results[0]?.rows.length > 10_000, true);
  const grown = (Deno.memoryUsage().rss - before) / 1_048_576;
  strictEqual(grown < 150, true, `${grown} MiB`);
});

test("stops reading at the cut", async ({ call }) => {
  const slow = "SELECT pg_sleep(0.001) FROM generate_series(1, 1000000)";
  const [batch] = await call({ batches: [{ queries: [slow] }], maxRows: 10, timeoutMs: 60_000 });
  deepStrictEqual([batch?.results[0]?.rows.length, batch?.results[0]?.truncated], [10, true]);
});

test("closes its connections when the server stops", async (_tool, { ask, until, url }) => {
  await until(OPEN, "0");
  const tool = await createSqlTool({ DATABASE_URL: url() });
  await tool.rows("SELECT 1");
  strictEqual(await ask(OPEN), "1");
  await tool[Symbol.asyncDispose]();
  await until(OPEN, "0");
});

test("stops a statement after its time-out in the engine", async ({ call }, { ask }) => {
  const mark = `/* mark ${crypto.randomUUID()} */`;
  const [batch] = await call({
    batches: [{ queries: [`SELECT pg_sleep(60) ${mark}`, "SELECT 1 AS a"] }],
    timeoutMs: 2_500,
  });
  strictEqual(batch?.results[0]?.error?.code, "57014");
  match(String(batch?.results[0]?.error?.hint), /^Stopped after timeoutMs \(\d+\); .* job-start$/);
  deepStrictEqual(batch?.results[1]?.rows, [{ a: 1 }]);
  strictEqual(await ask(running(mark)), "0");
});

test(
  "stops a statement that has turned off its own time-out, or catches the cancel request",
  async ({ call }, { until }) => {
    const mark = `mark ${crypto.randomUUID()}`;
    const stubborn =
      `DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(5); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$ -- ${mark}`;
    for (const query of [`SELECT pg_sleep(600) -- ${mark}`, stubborn]) {
      const [batch] = await call({
        batches: [{ queries: ["SET statement_timeout = 0", query] }],
        timeoutMs: 300,
      });
      strictEqual(batch?.results[1]?.success, false);
      await until(running(mark), "0");
    }
  },
);

test(
  "stops a statement in the engine when its call is cancelled",
  async (tool, { ask, until }) => {
    const mark = `mark ${crypto.randomUUID()}`;
    const controller = new AbortController();
    const queries = [`SELECT pg_sleep(600) -- ${mark}`, "CREATE TABLE never (a int)"];
    const ended = tool.call({ batches: [{ queries }] }, controller.signal).catch((error) => error);
    await until(running(mark), "1");
    const reason = new Error("Cannot finish: cancelled");
    controller.abort(reason);
    strictEqual(await ended, reason);
    await until(running(mark), "0");
    strictEqual(await ask("SELECT to_regclass('never') IS NULL"), "t");
  },
);

test("stops waiting for a lock after 5 s", async ({ batch, call }, { until }) => {
  await batch(["CREATE TABLE locked (a int)"]);
  const mark = `/* mark ${crypto.randomUUID()} */`;
  const queries = ["BEGIN", "LOCK TABLE locked", `SELECT pg_sleep(600) ${mark}`];
  const controller = new AbortController();
  const holder = call({ batches: [{ queries }], timeoutMs: 300_000 }, controller.signal);
  holder.catch(() => {});
  await until(running(mark), "1");
  const [waiting] = await call({ batches: [{ queries: ["SELECT * FROM locked"] }] });
  strictEqual(waiting?.results[0]?.error?.code, "55P03");
  const reason = new Error("Cannot finish: cancelled");
  controller.abort(reason);
  await rejects(holder, reason);
  await batch(["DROP TABLE locked"]);
});

test(
  "keeps at most 4 connections to a database, even with 12 batches in 3 calls",
  async (tool, { ask, until }) => {
    await until(OPEN, "0");
    // The batches hold their connections until the test has counted them.
    const held = `DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_tables WHERE tablename = 'go')
      LOOP PERFORM pg_sleep(0.01); END LOOP; END $$`;
    const batches = Array.from({ length: 4 }, () => ({ queries: [held] }));
    const calls = Promise.all([1, 2, 3].map(() => tool.call({ batches })));
    await until(OPEN, "4");
    strictEqual(await ask(`SELECT pg_sleep(0.3); ${OPEN}`), "4");
    await ask("CREATE TABLE go ()");
    const results = (await calls).flat();
    strictEqual(results.every(({ results: [first] }) => first?.success), true);
    await ask("DROP TABLE go");
  },
);

test("never reveals a password", async (_tool, { port }) => {
  const wrong = "wr0ng-secret";
  const urls = [
    `postgres://tester:${wrong}@127.0.0.1:${port}/postgres`,
    `postgres://tester:${wrong}@127.0.0.1:1/x`,
    `mysql://u:${wrong}@h/x`,
  ];
  for (const DATABASE_URL of urls) {
    await using tool = await createSqlTool({ DATABASE_URL });
    const { results: [result] } = await tool.batch(["SELECT 1"]);
    strictEqual(result?.success, false);
    const text = JSON.stringify(result);
    strictEqual(text.includes(wrong) || text.includes(PASSWORD), false, text);
    strictEqual(
      /^(28P01|ECONNREFUSED|BAD_DATABASE_URL)$/.test(result?.error?.code ?? ""),
      true,
      text,
    );
  }
});

/** Counts the connections of the tool. */
const OPEN = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'trestle'";

function running(mark: string): string {
  return `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%${mark}%' AND state = 'active' AND pid <> pg_backend_pid()`;
}
