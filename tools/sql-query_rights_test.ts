import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { NotAllowedError } from "../mcp_server/shared/error.ts";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool, type SqlArgs, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

async function refusal(tool: SqlTool, ...batches: SqlArgs["batches"]): Promise<string> {
  try {
    await tool.call({ batches });
  } catch (error) {
    if (error instanceof NotAllowedError) return error.message;
    throw error;
  }
  return "";
}

const insert = "INSERT INTO t VALUES (1)";
const count = "SELECT count(*) AS n FROM t";

Deno.test({
  ...requires("postgresql", "sql-query bounds a caller to its databases, by each name of them"),
  fn: async () => {
    await using pg = await startPostgres();
    await pg.ask("CREATE TABLE t (a int)");
    const own = new URL(pg.url()).pathname.slice(1);
    const env = { DATABASE_URL: pg.url(), MCP_DATABASE_MY_LOGS: pg.url() };
    const callerOf = (databases: Record<string, "ro" | "rw">) => boundedCaller({ databases });

    await using reader = await createSqlTool(
      env,
      callerOf({ [own]: "ro", "my-logs": "ro", "*": "rw" }),
    );
    for (const database of [undefined, own, "my-logs", "my_logs", "MY_LOGS"]) {
      const { results } = await reader.batch([insert, "COMMIT", insert, count], { database });
      deepStrictEqual(results[0]?.error?.code, "25006", String(database));
      deepStrictEqual(results[3]?.rows, [{ n: "0" }], String(database));
    }
    await using named = await createSqlTool(env, callerOf({ main: "rw", "my-*": "rw" }));
    const rule = `databases of the caller "ci" (main: rw, my-*: rw)`;
    strictEqual(
      await refusal(named, { queries: [insert] }),
      `Cannot use the database "${own}": it is not among the ${rule}`,
    );
    strictEqual(
      await refusal(named, { database: "my-logs", queries: [insert] }, {
        database: "template1",
        queries: [count],
      }),
      `Cannot use the database "template1": it is not among the ${rule}`,
    );
    strictEqual(await pg.ask(count), "0");
    await using asMain = await createSqlTool(env, callerOf({ main: "ro", "*": "rw" }));
    for (const database of [undefined, own, "my-logs", "MY_LOGS"]) {
      const { results } = await asMain.batch([insert], { database });
      strictEqual(results[0]?.error?.code, "25006", String(database));
    }
    const other = await asMain.batch(["CREATE TABLE t (a int)", "DROP TABLE t"], {
      database: "template1",
    });
    deepStrictEqual(other.results.map(({ success }) => success), [true, true]);
    await using writer = await createSqlTool(env, callerOf({ main: "ro", [own]: "rw" }));
    strictEqual((await writer.batch([insert], { database: own })).results[0]?.success, true);
    strictEqual(await pg.ask(count), "1");
  },
});

Deno.test("sql-query lets a caller reach no SQLite file but those of its databases", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path, HOME: Deno.env.get("HOME") ?? "" };
  await using operator = await createSqlTool(env);
  for (const database of ["main", "other"]) {
    await operator.batch(["CREATE TABLE t (a)"], { database, create: true });
  }
  const databases = { main: "ro", mine: "rw" } as const;
  await using tool = await createSqlTool(env, boundedCaller({ databases }));
  await operator.batch([insert], { database: "other" });
  const attacks = [
    `ATTACH '${folder.path}/other.db' AS o`,
    `ATTACH 'file:${folder.path}/other.db?mode=ro' AS o`,
    "SELECT * FROM o.t",
    `VACUUM INTO '${folder.path}/copy.db'`,
    `SELECT readfile('${folder.path}/other.db')`,
    `SELECT writefile('${folder.path}/copy.db', 'x')`,
    `SELECT load_extension('${folder.path}/x.so')`,
    `CREATE VIRTUAL TABLE c USING csv(filename='${folder.path}/other.db')`,
    `PRAGMA temp_store_directory = '${folder.path}'`,
  ];
  for (const database of ["main", "mine"]) {
    const { results } = await tool.batch(attacks, { database, create: true });
    deepStrictEqual(results.map(({ rows }) => rows), attacks.map(() => []), database);
    deepStrictEqual(results.filter(({ success }) => success), [], database);
  }
  const names = ["other", "Main", "MAIN", "../other", "jobs", "x"];
  for (const database of names) {
    const refused = await refusal(tool, { queries: [count] }, { database, queries: [count] });
    strictEqual(
      /among the databases of the caller "ci" \(main: ro, mine: rw\)$/.test(refused),
      true,
    );
  }
  strictEqual((await tool.batch([insert])).results[0]?.error?.code, "SQLITE_READONLY");
  deepStrictEqual(
    [...Deno.readDirSync(folder.path)].map(({ name }) => name).filter((n) => /db$/.test(n)).sort(),
    ["main.db", "mine.db", "other.db"],
  );
});

Deno.test("sql-query runs no batch of a call in which one is not allowed", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path, HOME: Deno.env.get("HOME") ?? "" };
  await using tool = await createSqlTool(env, boundedCaller({ databases: { mine: "rw" } }));
  const made = { database: "mine", create: true, queries: ["CREATE TABLE t (a)"] };
  for (const batches of [[made, { queries: ["SELECT 1"] }], [{ queries: ["SELECT 1"] }, made]]) {
    strictEqual(await refusal(tool, ...batches) !== "", true);
    deepStrictEqual([...Deno.readDirSync(folder.path)], []);
  }
});
