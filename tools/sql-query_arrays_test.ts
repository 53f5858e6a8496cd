import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { postMcp } from "../mcp_server/testing/mcp_request.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { createSqlTool, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const HOME = Deno.env.get("HOME") ?? "";

/** Runs queries whose rows are arrays; resolves with all that is known of each. */
async function tablesOf(tool: SqlTool, queries: readonly string[], more: object = {}) {
  const [batch] = await tool.call({ batches: [{ queries }], rowsAs: "arrays", ...more });
  return batch?.results.map(({ query: _, success: __, ...table }): unknown => table);
}

const VALUES = "SELECT 1 AS a, NULL AS a, 'x' AS b UNION ALL SELECT 2, 3, 'y'";
const TABLE = { columns: ["a", "a", "b"], rows: [[1, null, "x"], [2, 3, "y"]], rowCount: 2 };
const NONE = { columns: ["c"], rows: [], rowCount: 0 };

Deno.test("sql-query returns rows as arrays, with the columns of an empty result too", async () => {
  await using folder = await createTempFolder();
  await using tool = await createSqlTool({ MCP_DATA_DIR: folder.path, HOME });
  const name = "n".repeat(2_000_000);
  const tables = await tablesOf(tool, [
    VALUES,
    "SELECT 1 AS c WHERE 0",
    "CREATE TABLE t (a)",
    `SELECT 1 AS ${name} WHERE 0`,
  ]);
  deepStrictEqual(tables?.slice(0, 3), [TABLE, NONE, { columns: [], rows: [], rowCount: 0 }]);
  strictEqual(Object(tables?.[3]).error?.code, "ROW_TOO_LARGE");
});

Deno.test("sql-query fits more rows into its bound as arrays, and never more than that", async () => {
  await using folder = await createTempFolder();
  await using tool = await createSqlTool({ MCP_DATA_DIR: folder.path, HOME });
  const many = "WITH RECURSIVE n(i) AS (SELECT 100000 UNION ALL SELECT i + 1 FROM n) " +
    "SELECT i AS a_name_of_thirty_characters_here, 'text' AS b FROM n";
  const sizes = await Promise.all(["objects", "arrays"].map(async (rowsAs) => {
    const args = { batches: [{ queries: [many] }], rowsAs, maxRows: 100_000 };
    const [batch] = await tool.call(args);
    const { columns, rows = [], truncated } = batch?.results[0] ?? {};
    strictEqual(truncated, true);
    return { count: rows.length, bytes: JSON.stringify({ columns, rows }).length };
  }));
  for (const { bytes } of sizes) ok(bytes > 900_000 && bytes < 1_048_576 + 50, `${bytes}`);
  ok(sizes[1]!.count > 2.5 * sizes[0]!.count, JSON.stringify(sizes));
});

Deno.test({
  ...requires("postgresql", "sql-query returns rows of PostgreSQL as arrays"),
  fn: async () => {
    await using pg = await startPostgres();
    await using tool = await createSqlTool({ DATABASE_URL: pg.url() });
    const queries = [
      VALUES,
      "SELECT 1 AS c WHERE false",
      "SELECT '{1,2}'::int[] AS d",
      "SET a.b = 1",
    ];
    deepStrictEqual(await tablesOf(tool, queries), [
      TABLE,
      NONE,
      { columns: ["d"], rows: [[[1, 2]]], rowCount: 1 },
      { columns: [], rows: [], rowCount: 0 },
    ]);
    const [cut] = await tablesOf(tool, ["SELECT * FROM generate_series(1, 9) i"], { maxRows: 2 }) ??
      [];
    deepStrictEqual(cut, { columns: ["i"], rows: [[1], [2]], rowCount: 2, truncated: true });
  },
});

Deno.test("sql-query over MCP has its rows once as text, compact, in both eras", async () => {
  await using folder = await createTempFolder();
  await using server = await startServer({ env: { MCP_DATA_DIR: folder.path, HOME } });
  for (const revision of ["2026-07-28", "2025-11-25"] as const) {
    const args = { batches: [{ queries: ["SELECT 1 AS a"] }], rowsAs: "arrays" };
    const call = { method: "tools/call", params: { name: "sql-query", arguments: args } };
    const answer = await (await postMcp(server.url, call, { revision })).text();
    const { result } = JSON.parse(answer.replace(/^[^{]*data: /, ""));
    const { content, structuredContent } = result;
    const query = {
      query: "SELECT 1 AS a",
      success: true,
      columns: ["a"],
      rows: [[1]],
      rowCount: 1,
    };
    deepStrictEqual(structuredContent, { results: [{ database: "main", results: [query] }] });
    deepStrictEqual(content, [{ type: "text", text: JSON.stringify(structuredContent) }]);
  }
});
