import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { requires } from "../test_support/services.ts";

const { ignore, name } = requires("postgresql", "PostgreSQL");
const pg = ignore ? undefined : await startPostgres();
if (pg) addEventListener("unload", () => void pg.kill());

/** A test with the tool on PostgreSQL. */
function testPostgres(what: string, fn: (tool: SqlTool) => Promise<void>): void {
  Deno.test({
    name: `sql-query on PostgreSQL ${what}${ignore ? ` (${name})` : ""}`,
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      if (pg === undefined) return;
      await using tool = await createSqlTool({ DATABASE_URL: pg.url() });
      await fn(tool);
    },
  });
}

/** A test with the tool on SQLite. */
function testSqlite(what: string, fn: (tool: SqlTool) => Promise<void>): void {
  Deno.test(`sql-query on SQLite ${what}`, async () => {
    await using folder = await createTempFolder();
    const HOME = Deno.env.get("HOME") ?? "";
    await using tool = await createSqlTool({ MCP_DATA_DIR: folder.path, HOME });
    await fn(tool);
  });
}

/** Parameters as a client sends them: JSON that a reader has to round. */
const ROUNDED: unknown[][] = JSON.parse(
  `[[9007199254740993], [-9007199254740993], [[1, 9007199254740993]], [{"a": 9007199254740993}]]`,
);

async function refusesRounded(tool: SqlTool): Promise<void> {
  const queries = ROUNDED.map(() => "SELECT $1");
  const { results } = await tool.batch([...queries, "SELECT 1 AS a"], { params: ROUNDED });
  for (const { error } of results.slice(0, ROUNDED.length)) {
    strictEqual(error?.code, "INVALID_NUMBER");
    match(error.message, /^Cannot send parameter 1: .*send it as text$/);
  }
  deepStrictEqual(results.at(-1)?.rows, [{ a: 1 }]);
}

testPostgres("refuses whole numbers that JSON has rounded", async (tool) => {
  await refusesRounded(tool);
  const [row] = await tool.rows("SELECT $1::int8 AS a, $2::int8 AS b", [
    "9007199254740993",
    Number.MAX_SAFE_INTEGER,
  ]);
  deepStrictEqual(row, { a: "9007199254740993", b: "9007199254740991" });
});

testSqlite("refuses whole numbers that JSON has rounded", async (tool) => {
  await refusesRounded(tool);
  await tool.rows("CREATE TABLE t (a INTEGER)");
  await tool.rows("INSERT INTO t VALUES (?)", ["9007199254740993"]);
  deepStrictEqual(await tool.rows("SELECT a, typeof(a) AS t FROM t"), [
    { a: "9007199254740993", t: "integer" },
  ]);
});

const BYTES = { base64: "AP8=" };

testPostgres("takes bytes as base64", async (tool) => {
  const [row] = await tool.rows(
    "SELECT $1::bytea AS a, $2::bytea[] AS b, length($3::bytea) AS c, $4::jsonb AS d, $5::jsonb AS e",
    [BYTES, [BYTES, null], { base64: "" }, { ...BYTES, more: 1 }, JSON.stringify(BYTES)],
  );
  const b = ["AP8=", null];
  deepStrictEqual(row, { a: "AP8=", b, c: 0, d: { ...BYTES, more: 1 }, e: BYTES });
  const { results } = await tool.batch(["SELECT $1::bytea"], { params: [[{ base64: "AP8" }]] });
  strictEqual(results[0]?.error?.code, "INVALID_BASE64");
});

testSqlite("takes bytes as base64", async (tool) => {
  const [row] = await tool.rows("SELECT ?1 AS a, typeof(?1) AS t, ?2 AS b", [
    BYTES,
    { ...BYTES, more: 1 },
  ]);
  deepStrictEqual(row, { a: "AP8=", t: "blob", b: '{"base64":"AP8=","more":1}' });
  const { results } = await tool.batch(["SELECT ?"], { params: [[{ base64: "?" }]] });
  strictEqual(results[0]?.error?.code, "INVALID_BASE64");
});

testPostgres("returns the notices of each query", async (tool) => {
  const block = (body: string) => `DO $$ BEGIN ${body}; END $$`;
  const { results } = await tool.batch([
    block("RAISE NOTICE 'a' USING DETAIL = 'b', HINT = 'c'; RAISE WARNING 'd'"),
    "SELECT 1 AS a",
    block("RAISE NOTICE 'before'; RAISE EXCEPTION 'failed'"),
    block("FOR i IN 1..30 LOOP RAISE NOTICE '%', i; END LOOP"),
    block("RAISE NOTICE '%', repeat('ä', 2000) USING DETAIL = 'e'"),
    "COMMIT",
  ]);
  const [both, none, failing, many, long, commit] = results;
  deepStrictEqual(both?.notices, [
    { severity: "NOTICE", code: "00000", message: "a", detail: "b", hint: "c" },
    { severity: "WARNING", code: "01000", message: "d" },
  ]);
  strictEqual(none !== undefined && "notices" in none, false);
  deepStrictEqual([failing?.error?.message, failing?.notices?.[0]?.message], ["failed", "before"]);
  const numbers = Array.from({ length: 20 }, (_, at) => `${at + 1}`);
  deepStrictEqual(many?.notices?.map(({ message }) => message), numbers);
  deepStrictEqual(long?.notices?.map(({ message, detail }) => [message, detail]), [
    [`${"ä".repeat(1_024)}...`, undefined],
  ]);
  deepStrictEqual(commit?.notices?.map(({ code }) => code), ["25P01"]);
});

testPostgres("returns no more notices than fit into an answer", async (tool) => {
  const raise =
    "DO $$ BEGIN FOR i IN 1..20 LOOP RAISE NOTICE '%', repeat('a', 1000); END LOOP; END $$";
  const batches = Array(10).fill({ queries: Array(100).fill(raise) });
  const answer = await tool.call({ batches });
  const notices = answer.flatMap(({ results }) => results.flatMap((one) => one.notices ?? []));
  strictEqual(notices.length > 10_000 && notices.length * 1_000 <= 16 * 1_048_576, true);
  strictEqual(answer.every(({ results }) => results.every(({ success }) => success)), true);
});
