import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { within } from "../mcp_server/shared/concurrency.ts";
import { callApi } from "../mcp_server/testing/http_caller.ts";
import { childrenOf, processesWith } from "../mcp_server/testing/processes.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { createSqlTool, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

/** The permissions of `deno task start`. */
const PERMISSIONS = ["read", "write", "run", "env", "net", "sys"].map((name) => `--allow-${name}`);
const ENDLESS =
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
/** The program of the processes that hold a database, wherever the server is installed. */
const WORKER = "/mcp_server/toolkit/sql/sqlite_worker.";
const HOME = Deno.env.get("HOME") ?? "";

function test(what: string, fn: (tool: SqlTool, folder: string) => Promise<void>): void {
  Deno.test(`sql-query on SQLite ${what}`, async () => {
    await using folder = await createTempFolder();
    await using tool = await createSqlTool({ MCP_DATA_DIR: folder.path, HOME });
    await fn(tool, folder.path);
  });
}

test("returns every value without loss", async ({ rows }) => {
  const values = "9223372036854775807 AS a, -9223372036854775808 AS b, 9007199254740991 AS c, " +
    "9007199254740992 AS d, 0.1 AS e, 9e999 AS f, -9e999 AS g, x'00ff10' AS h, x'' AS i, " +
    "NULL AS j, 'ä''b' AS k, 1 AS k, 2 AS k, 5 AS __proto__";
  const [row] = await rows(`SELECT ${values}`);
  strictEqual(
    JSON.stringify(row),
    '{"a":"9223372036854775807","b":"-9223372036854775808","c":9007199254740991,' +
      '"d":"9007199254740992","e":0.1,"f":"Infinity","g":"-Infinity","h":"AP8Q","i":"",' +
      '"j":null,"k":"ä\'b","k_2":1,"k_3":2,"__proto__":5}',
  );
});

test("binds parameters, and rejects too few and too many", async ({ rows, batch }) => {
  const query = "SELECT ?1 AS a, typeof(?2) AS b, typeof(?3) AS c, ?4 AS d, ?5 AS e, ?6 AS f";
  const [row] = await rows(query, ["'; --", 5, 1.5, null, true, { k: [1] }]);
  deepStrictEqual(row, { a: "'; --", b: "integer", c: "real", d: null, e: 1, f: '{"k":[1]}' });
  const { results } = await batch(["SELECT ?, ?", "SELECT ?", "SELECT ?"], {
    params: [[1], [1, 2]],
  });
  deepStrictEqual(results.map(({ error }) => error?.code), [
    "SQLITE_ERROR",
    "SQLITE_RANGE",
    "SQLITE_ERROR",
  ]);
});

test("runs one statement per query and ignores none silently", async ({ batch }) => {
  const texts: [text: string, runs: boolean][] = [
    ["SELECT 1", true],
    [" -- a;\n/* b; */ SELECT ';' ; -- c\n ;; /* d", true],
    ["", true],
    ["-- nothing", true],
    [";", true],
    ["SELECT 1; SELECT 2", false],
    ["SELECT ';'; DROP TABLE x", false],
    ["SELECT 1; oops", false],
    ["SELECT 'ä😀'; SELECT 2", false],
    ["SELECT 'ä😀'; -- ü", true],
    ["CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT 2; END;", true],
  ];
  const { results } = await batch(["CREATE TABLE t (id)", ...texts.map(([text]) => text)]);
  deepStrictEqual(
    results.slice(1).map(({ query, success }) => [query, success]),
    texts.map(([text, runs]) => [text, runs]),
  );
  match(results[6]?.error?.message ?? "", /more than one statement/);
});

test("reports codes and counts, and continues", async ({ batch }) => {
  const { results } = await batch([
    "CREATE TABLE p (id INTEGER PRIMARY KEY, u TEXT UNIQUE)",
    "CREATE TABLE c (p REFERENCES p)",
    "INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c')",
    "CREATE TABLE other (id)",
    "INSERT INTO p VALUES (4, 'a')",
    "INSERT INTO c VALUES (9)",
    "selec 1",
    "DELETE FROM p WHERE id > 1 RETURNING id",
    "SELECT id FROM p",
  ]);
  deepStrictEqual(results.map(({ error, rowCount }) => error?.code ?? rowCount), [
    0,
    0,
    3,
    0,
    "SQLITE_CONSTRAINT_UNIQUE",
    "SQLITE_CONSTRAINT_FOREIGNKEY",
    "SQLITE_ERROR",
    2,
    1,
  ]);
});

test("reports an error that comes after the first row, or with RETURNING", async ({ batch }) => {
  const { results } = await batch([
    "SELECT abs(value) FROM json_each('[1,-9223372036854775808]')",
    "CREATE TABLE t (id UNIQUE)",
    "INSERT INTO t VALUES (1), (1) RETURNING id",
    "SELECT count(*) AS n FROM t",
  ]);
  const outcomes = results.map(({ error, rows }) => error?.message ?? rows);
  deepStrictEqual(outcomes, [
    "integer overflow",
    [],
    "UNIQUE constraint failed: t.id",
    [{ n: 0 }],
  ]);
});

test("cuts answers, and a cut statement has still written everything", async ({ call }) => {
  const numbers = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000)";
  const [batch] = await call({
    maxRows: 10,
    batches: [{
      queries: [
        "CREATE TABLE t (x)",
        `${numbers} INSERT INTO t SELECT x FROM c RETURNING x`,
        "SELECT count(*) AS n FROM t",
        "SELECT x FROM t",
        "SELECT x FROM t LIMIT 10",
        "SELECT hex(zeroblob(300000)) AS x FROM t LIMIT 9",
        `${ENDLESS.replace("count(*)", "x")}`,
      ],
    }],
  });
  const outcomes = batch?.results.map((
    { rows, rowCount, truncated },
  ) => [rows.length, rowCount, truncated]);
  deepStrictEqual(outcomes, [
    [0, 0, undefined],
    [10, 5000, true],
    [1, 1, undefined],
    [10, 10, true],
    [10, 10, undefined],
    [1, 1, true],
    [10, 10, true],
  ]);
  deepStrictEqual(batch?.results[2]?.rows, [{ n: 5000 }]);
});

test("opens no other file", async ({ batch }, folder) => {
  const { results } = await batch([
    `ATTACH '${folder}/other.db' AS o`,
    `ATTACH '${folder}/' || 'other.db' AS o`,
    `ATTACH 'file:${folder}/other.db?mode=rwc' AS o`,
    `VACUUM INTO '${folder}/other.db'`,
    `SELECT load_extension('${folder}/x')`,
    `PRAGMA temp_store_directory = '${folder}'`,
    "ATTACH ?1 AS o",
    "PRAGMA journal_mode",
    "PRAGMA foreign_keys",
  ], { params: [[], [], [], [], [], [], [`${folder}/other.db`]] });
  deepStrictEqual(results.map(({ success }) => success), [
    ...Array(7).fill(false),
    true,
    true,
  ]);
  deepStrictEqual(results.slice(7).map(({ rows }) => rows), [[{ journal_mode: "wal" }], [{
    foreign_keys: 1,
  }]]);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  deepStrictEqual(names, ["main.db", "main.db-shm", "main.db-wal"]);
});

test("rolls back what is left open, and hides everything from the next batch", async ({ batch, rows }) => {
  await rows("CREATE TABLE t (id)");
  const left = await batch([
    "CREATE TEMP TABLE secret (a)",
    "PRAGMA foreign_keys = off",
    "BEGIN",
    "INSERT INTO t VALUES (1)",
  ]);
  strictEqual(left.rolledBack, true);
  const { results } = await batch([
    "SELECT count(*) AS n FROM t",
    "SELECT * FROM secret",
    "PRAGMA foreign_keys",
  ]);
  deepStrictEqual([results[0]?.rows, results[1]?.success, results[2]?.rows], [[{ n: 0 }], false, [{
    foreign_keys: 1,
  }]]);
});

test("keeps two databases separate, also across a restart", async (tool, folder) => {
  const create = (id: number) => [`CREATE TABLE t (id)`, `INSERT INTO t VALUES (${id})`];
  await tool.call({
    batches: [{ queries: create(1) }, { database: "logs-2", create: true, queries: create(2) }],
  });
  await using again = await createSqlTool({ MCP_DATA_DIR: folder, HOME });
  const queries = ["SELECT id FROM t"];
  const read = await again.call({
    batches: [{ queries }, { database: "logs-2", queries }, { database: "main", queries }],
  });
  deepStrictEqual(read.map(({ database, results }) => [database, results[0]?.rows]), [
    ["main", [{ id: 1 }]],
    ["logs-2", [{ id: 2 }]],
    ["main", [{ id: 1 }]],
  ]);
});

test("rejects names that are paths or URLs", async ({ call }, folder) => {
  const names = [
    "../main",
    "/etc/passwd",
    "a.b",
    "",
    "sqlite:///tmp/x",
    "a b",
    "postgres://h/x",
    "ä",
    "a\0",
  ];
  const results = await call({
    batches: names.map((database) => ({ database, queries: ["SELECT 1"] })),
  });
  deepStrictEqual(
    results.map(({ results: [first] }) => first?.error?.code),
    names.map(() => "UNKNOWN_DATABASE"),
  );
  deepStrictEqual([...Deno.readDirSync(folder)], []);
});

test("stops a long statement and its transaction, and continues without harm", async ({ call, rows, batch }) => {
  await batch(["CREATE TABLE t (id)", "INSERT INTO t VALUES (1)"]);
  const [alone] = await call({
    batches: [{ queries: [ENDLESS, "SELECT id FROM t"] }],
    timeoutMs: 2_000,
  });
  deepStrictEqual(alone?.results.map(({ error, rows }) => error?.code ?? rows), [
    "SQLITE_INTERRUPT",
    [{ id: 1 }],
  ]);
  const [inside] = await call({
    batches: [{
      queries: ["BEGIN", "INSERT INTO t VALUES (2)", ENDLESS, "INSERT INTO t VALUES (3)", "COMMIT"],
    }],
    timeoutMs: 2_000,
  });
  deepStrictEqual(inside?.results.map(({ error }) => error?.code), [
    undefined,
    undefined,
    "SQLITE_INTERRUPT",
    "SQLITE_ABORT",
    "SQLITE_ABORT",
  ]);
  strictEqual(inside?.rolledBack, true);
  deepStrictEqual(
    await rows(
      "SELECT (SELECT group_concat(id) FROM t) AS ids, integrity_check AS ok FROM pragma_integrity_check",
    ),
    [{ ids: "1", ok: "ok" }],
  );
  const controller = new AbortController();
  setTimeout(() => controller.abort("stop"), 300);
  const stopped = call({ batches: [{ queries: [ENDLESS] }], timeoutMs: 300_000 }, controller.signal)
    .catch((error) => error);
  strictEqual(await within(stopped, 20_000), true);
  strictEqual(await stopped, "stop");
});

test(
  "reports that the file can't be opened again after a stopped statement",
  async ({ call, rows }, folder) => {
    await rows("CREATE TABLE t (id)");
    const queries = [ENDLESS, "SELECT id FROM t", "INSERT INTO t VALUES (1)"];
    const called = call({ batches: [{ queries }], timeoutMs: 2_000 });
    const file = `${folder}/main.db`;
    await Deno.rename(file, `${file}.moved`);
    await Deno.mkdir(file);
    const [stopped] = await called;
    deepStrictEqual(stopped?.results.map(({ error }) => error?.code), [
      "SQLITE_INTERRUPT",
      "SQLITE_CANTOPEN",
      "SQLITE_CANTOPEN",
    ]);
    await Deno.remove(file);
    await Deno.rename(`${file}.moved`, file);
    deepStrictEqual(await rows("SELECT id FROM t"), []);
  },
);

Deno.test("sql-query on SQLite lets other tools answer during a long statement, and ends with the server", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path, DATABASE_URL: "", PGHOST: "" };
  await using server = await startServer({ env, permissions: PERMISSIONS });
  const query = { batches: [{ queries: [ENDLESS] }], timeoutMs: 300_000 };
  let isAnswered = false;
  const long = callApi(server.url, "sql-query", query).finally(() => isAnswered = true);
  const worker = await workerOf(server.pid);
  for (let count = 0; count < 10; count++) {
    const { body } = await callApi(server.url, "read-file", { path: "/etc/hostname" });
    strictEqual(typeof body.content, "string");
  }
  strictEqual(isAnswered, false);
  strictEqual(await server.stop(), 0);
  strictEqual((await long.catch(() => undefined))?.status ?? 503, 503);
  const signal = AbortSignal.timeout(20_000);
  while ((await processesWith(WORKER)).includes(worker)) signal.throwIfAborted();
});

/** Waits until a server has started a process that holds a database, and returns its id. */
async function workerOf(server: number): Promise<number> {
  for (const signal = AbortSignal.timeout(20_000);; signal.throwIfAborted()) {
    const [children, workers] = [await childrenOf(server), await processesWith(WORKER)];
    const worker = children.find((pid) => workers.includes(pid));
    if (worker !== undefined) return worker;
  }
}
