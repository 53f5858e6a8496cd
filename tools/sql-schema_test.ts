import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { NotAllowedError } from "../mcp_server/shared/error.ts";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import {
  callRegisteredTool,
  outputOf,
  refusalOf,
  registerTool,
} from "../mcp_server/testing/call_tool.ts";
import { CALL_WAYS } from "../mcp_server/testing/call_ways.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import sqlSchema from "./sql-schema.ts";

const HOME = Deno.env.get("HOME") ?? "";

/** An SQLite file, and the tool that reads it. */
async function withFile(sql: string) {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const file = `${folder.path}/main.db`;
  using database = new DatabaseSync(file);
  database.exec(sql);
  const tool = await registerTool(sqlSchema, "sql-schema", {
    env: { MCP_DATA_DIR: folder.path, HOME },
    onShutdown: (end) => void stack.defer(end),
  });
  const call = (args: object, options?: Parameters<typeof callRegisteredTool>[2]) =>
    callRegisteredTool(tool, args, options);
  const read = async (...args: Parameters<typeof call>) =>
    JSON.parse(JSON.stringify(outputOf(await call(...args))));
  return {
    file,
    folder: folder.path,
    call,
    read,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const NULLABLE = { nullable: true };

Deno.test("sql-schema is described in less than 1 kB", async () => {
  const { definition } = await registerTool(sqlSchema, "sql-schema");
  ok(
    JSON.stringify({ ...definition, icons: undefined }).length < 1_000,
    `${JSON.stringify({ ...definition, icons: undefined }).length}`,
  );
});

Deno.test("sql-schema describes tables of SQLite with columns, keys and indexes", async () => {
  await using file = await withFile(`
    CREATE TABLE City (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'it''s', pop INT,
      both TEXT GENERATED ALWAYS AS (name || pop) STORED, UNIQUE (name, pop));
    CREATE TABLE visit (city REFERENCES City, a, b, PRIMARY KEY (b, a),
      FOREIGN KEY (a, b) REFERENCES City (name, pop)) WITHOUT ROWID;
    CREATE INDEX big ON City (lower(name), pop) WHERE pop > 1;
    CREATE VIRTUAL TABLE doc USING fts5(title);
    CREATE VIEW names AS SELECT name FROM City;
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE TABLE "a""b
C; --" (x DEFAULT ('${"y".repeat(5_000)}'));
    INSERT INTO City (name) VALUES ('Bern');`);
  const { database, dialect, tables, nextCursor } = await file.read({ detail: "full" });
  deepStrictEqual([database, dialect, nextCursor], ["main", "sqlite", undefined]);
  const counted = { schema: "main", type: "table", rowsFrom: "count" };
  deepStrictEqual(tables.slice(0, 2), [{
    ...counted,
    name: "City",
    rows: 1,
    primaryKey: ["id"],
    columns: [
      { name: "id", type: "INTEGER" },
      { name: "name", type: "TEXT", default: "'it''s'" },
      { name: "pop", type: "INT", ...NULLABLE },
      { name: "both", type: "TEXT", ...NULLABLE, generated: true },
    ],
    indexes: [
      { name: "big", on: ["(expression)", "pop"], partial: true },
      { name: "sqlite_autoindex_City_1", on: ["name", "pop"], unique: true },
    ],
  }, {
    ...counted,
    name: "visit",
    rows: 0,
    primaryKey: ["b", "a"],
    columns: [{ name: "city", type: "", ...NULLABLE }, { name: "a", type: "" }, {
      name: "b",
      type: "",
    }],
    foreignKeys: [
      { columns: ["a", "b"], table: "main.City", to: ["name", "pop"] },
      { columns: ["city"], table: "main.City" },
    ],
  }]);
  const [doc, names, broken, odd] = tables.slice(2);
  deepStrictEqual(doc.columns, [{ name: "title", type: "" }]);
  deepStrictEqual([doc.type, doc.rows], ["virtual table", undefined]);
  deepStrictEqual([names.type, names.columns], ["view", [{ name: "name", type: "TEXT" }]]);
  deepStrictEqual([broken.error, broken.columns], ["no such table: main.gone", undefined]);
  deepStrictEqual([odd.name, odd.columns[0].default.length], ['a"b\nC; --', 259]);
  strictEqual(tables.length, 6);
});

Deno.test("sql-schema finds tables by a pattern, and says where the numbers of rows come from", async () => {
  await using file = await withFile(`
    CREATE TABLE small (a); CREATE TABLE "big[1]?" (a); CREATE TABLE big_2 (a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001)
      INSERT INTO big_2 SELECT i FROM n;`);
  const names = async (pattern: string) =>
    (await file.read({ pattern, detail: "names" })).tables.map(({ name }: { name: string }) =>
      name
    );
  for (
    const [pattern, found] of [
      ["*", ["small", "big[1]?", "big_2"]],
      ["big*", ["big[1]?", "big_2"]],
      ["main.big*", ["big[1]?", "big_2"]],
      ["big[1]?", ["big[1]?"]],
      ["smal?", []],
      ["SMALL", []],
    ] as const
  ) deepStrictEqual(await names(pattern), found, pattern);
  const { tables: [counted] } = await file.read({ pattern: "big_2", detail: "names" });
  const big = { schema: "main", name: "big_2", type: "table" };
  deepStrictEqual(counted, { ...big, rows: 10_000, rowsFrom: "count", moreRows: true });
  {
    using database = new DatabaseSync(file.file);
    database.exec("ANALYZE");
  }
  const { tables: [known] } = await file.read({ pattern: "big_2", detail: "names" });
  deepStrictEqual(known, { ...big, rows: 10_001, rowsFrom: "sqlite_stat1" });
});

Deno.test("sql-schema returns a thousand tables on pages of at most 32 KiB", async () => {
  const create = (at: number) => `CREATE TABLE t${at} (a TEXT NOT NULL, b INT DEFAULT 7, c${at});`;
  await using file = await withFile(Array.from({ length: 1_000 }, (_, at) => create(at)).join(""));
  const found: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined = undefined, more = true; more; pages++) {
    const page: { tables: { name: string }[]; nextCursor?: string } = await file.read({
      cursor,
      detail: "names",
    });
    ok(JSON.stringify(page).length <= 32 * 1024);
    found.push(...page.tables.map(({ name }) => name));
    cursor = page.nextCursor;
    more = cursor !== undefined;
  }
  ok(pages > 2 && pages < 9, `${pages}`);
  deepStrictEqual(found, Array.from({ length: 1_000 }, (_, at) => `t${at}`));
});

Deno.test("sql-schema reads as far as the caller's databases go, and changes nothing", async () => {
  await using file = await withFile("CREATE TABLE t (a)");
  const caller = boundedCaller({ databases: { main: "ro" } });
  const { tables } = await file.read({}, { caller });
  strictEqual(tables[0].name, "t");
  const denied = await file.call({ database: "other" }, { caller }).catch((error) => error);
  ok(denied instanceof NotAllowedError || refusalOf(denied).code === "NOT_ALLOWED");
  const { code, message } = refusalOf(await file.call({ database: "mian" }));
  strictEqual(code, "UNKNOWN_DATABASE");
  match(message, /its file does not exist, .+; Databases that you may use: main$/);
  strictEqual(refusalOf(await file.call({ cursor: "x" })).code, "INVALID_ARGUMENTS");
  await Deno.remove(file.file);
  deepStrictEqual((await file.read({})).tables, []);
  deepStrictEqual([...Deno.readDirSync(file.folder)].map(({ name }) => name), []);
});

Deno.test("sql-schema ends when its time is over, or its call is stopped", async () => {
  await using file = await withFile("CREATE TABLE t (a); PRAGMA journal_mode = DELETE");
  using locked = new DatabaseSync(file.file);
  locked.exec("BEGIN EXCLUSIVE");
  const { code } = refusalOf(await file.call({}, { limits: { maxTimeoutMs: 300 } }));
  strictEqual(code, "SQLITE_INTERRUPT");
  const signal = AbortSignal.timeout(300);
  strictEqual(refusalOf(await file.call({}, { signal })).code, "CANCELLED");
});

Deno.test("sql-schema answers over MCP of both eras and over HTTP", async () => {
  await using file = await withFile("CREATE TABLE only_here (a)");
  await using server = await startServer({ env: { MCP_DATA_DIR: file.folder, HOME } });
  for (const way of ["POST /api", "MCP 2026-07-28", "MCP 2025-11-25"]) {
    const call = { tool: "sql-schema", args: { detail: "names" } };
    const { text = "" } = await CALL_WAYS[way]?.(server.url, call, {}) ?? {};
    match(text.replaceAll("\\", ""), /"name":"only_here","type":"table","rows":0/, way);
  }
});
