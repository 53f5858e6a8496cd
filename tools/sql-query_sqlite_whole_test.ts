import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createSqlTool, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const HOME = Deno.env.get("HOME") ?? "";

function test(what: string, fn: (tool: SqlTool, file: string) => Promise<void>): void {
  Deno.test(`sql-query on SQLite ${what}`, async () => {
    await using folder = await createTempFolder();
    await using tool = await createSqlTool({ MCP_DATA_DIR: folder.path, HOME });
    await fn(tool, `${folder.path}/main.db`);
  });
}

/** Returns each query's error code or its rows. */
async function outcomesOf(tool: SqlTool, queries: string[], params: unknown[][] = []) {
  const { results } = await tool.batch(queries, { params });
  return results.map(({ error, rows }) => error?.code ?? rows);
}

const REFUSED = "INVALID_TEXT";

test("returns text with NUL characters completely, in each file encoding", async (tool, file) => {
  for (const encoding of ["UTF-8", "UTF-16le", "UTF-16be"]) {
    const text = "\ufeffa\0b 😀\ufffd\0";
    {
      using other = new DatabaseSync(file.replace("main", encoding));
      other.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE t (a TEXT, b BLOB)`);
    }
    const { results } = await tool.batch([
      "INSERT INTO t VALUES (?1, x'00ff'), ('c' || char(0), NULL), ('', x'')",
      "SELECT * FROM t ORDER BY rowid",
      "SELECT ?1 AS a, json(?2) AS b -- c;",
      "VALUES ('d' || char(0)); -- e",
      "PRAGMA encoding",
    ], { database: encoding, params: [[text], [], [text, [text]]] });
    deepStrictEqual(results.map(({ rows, error }) => error ?? rows), [
      [],
      [{ a: text, b: "AP8=" }, { a: "c\0", b: null }, { a: "", b: "" }],
      [{ a: text, b: JSON.stringify([text]) }],
      [{ column1: "d\0" }],
      [{ encoding }],
    ]);
  }
});

test("rejects text that it can't send or return unchanged", async (tool) => {
  const queries = [
    "SELECT ?1",
    "SELECT '\udc00'",
    "SELECT ?1 AS a",
    "SELECT CAST(x'61ff' AS TEXT)",
    "SELECT hex(CAST(x'61ff' AS TEXT)) AS a",
    "CREATE TABLE t (a)",
    "INSERT INTO t VALUES (?1) RETURNING a",
    "SELECT count(*) AS n FROM t",
  ];
  deepStrictEqual(
    await outcomesOf(tool, queries, [["\ud800"], [], [["\ud800"]], [], [], [], ["a\0b"]]),
    [REFUSED, REFUSED, [{ a: '["\\ud800"]' }], REFUSED, [{ a: "61FF" }], [], REFUSED, [{ n: 0 }]],
  );
});

test("reads tables of any name, directly and through a view", async (tool) => {
  const nul = { a: "b\0c" };
  deepStrictEqual(
    await outcomesOf(tool, [
      "CREATE TABLE Query (a)",
      "INSERT INTO query VALUES ('b' || char(0) || 'c')",
      "CREATE VIEW v AS SELECT * FROM query",
      "SELECT * FROM QUERY",
      "SELECT 1 AS a UNION ALL SELECT * FROM query",
      "SELECT a FROM query, (SELECT 1 AS query1)",
      "SELECT * FROM v",
    ]),
    [[], [], [], [nul], [{ a: 1 }, nul], [nul], [nul]],
  );
});

test("computes each value once and keeps the order of rows", async (tool) => {
  const numbers = JSON.stringify(Array.from({ length: 200 }, (_, at) => at));
  const random = await tool.rows(
    `SELECT CASE WHEN random() > 0 THEN 'a' ELSE x'00' END AS v FROM json_each('${numbers}')`,
  );
  deepStrictEqual([...new Set(random.map(({ v }) => v))].sort(), ["AA==", "a"]);
  const ordered = await tool.rows(
    `SELECT value AS v FROM json_each('${numbers}') ORDER BY -value LIMIT 3`,
  );
  deepStrictEqual(ordered, [{ v: 199 }, { v: 198 }, { v: 197 }]);
});

test("rejects a row that is too large to return, and cuts long errors", async (tool) => {
  const { results } = await tool.batch([
    "SELECT hex(zeroblob(50000000)) AS x",
    `SELECT ${"x".repeat(10_000)}()`,
    "SELECT 2 AS a",
  ]);
  match(results[0]?.error?.message ?? "", /^Cannot answer a row of 100000000 bytes/);
  strictEqual(results[1]?.error?.message.length, 2_051);
  deepStrictEqual(results[2]?.rows, [{ a: 2 }]);
});

test("lets no batch limit the memory of the next one", async (tool) => {
  const pragmas = ["soft", "hard"].flatMap((kind) => [
    `PRAGMA ${kind}_heap_limit = 1000`,
    `SELECT * FROM pragma_${kind}_heap_limit(1000)`,
  ]);
  for (const outcome of await outcomesOf(tool, pragmas)) strictEqual(Array.isArray(outcome), false);
  deepStrictEqual(await outcomesOf(tool, ["SELECT length(hex(zeroblob(1000000))) AS n"]), [[{
    n: 2_000_000,
  }]]);
});

test("reports what is wrong with a file", async (tool, file) => {
  await Deno.mkdir(file);
  deepStrictEqual(await outcomesOf(tool, ["SELECT 1"]), ["SQLITE_CANTOPEN"]);
  await Deno.remove(file);
  await Deno.writeTextFile(file, "no database ".repeat(1_000));
  deepStrictEqual(await outcomesOf(tool, ["SELECT 1"]), ["SQLITE_NOTADB"]);
  await Deno.remove(file);
  {
    using other = new DatabaseSync(file);
    other.exec("CREATE TABLE t (a); BEGIN EXCLUSIVE");
    deepStrictEqual(await outcomesOf(tool, ["SELECT 1"]), ["SQLITE_BUSY"]);
    other.exec("COMMIT");
  }
  deepStrictEqual(await outcomesOf(tool, ["SELECT * FROM t"]), [[]]);
});
