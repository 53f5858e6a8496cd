import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const HOME = Deno.env.get("HOME") ?? "";

function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => /db$/.test(name))
    .sort();
}

Deno.test("sql-query creates an SQLite file only if the batch says so, or it is the default", async () => {
  await using folder = await createTempFolder();
  const at = folder.path;
  const env = { MCP_DATA_DIR: at, MCP_DATABASE_FAR: `sqlite://${at}/far/x.db`, HOME };
  await using tool = await createSqlTool(env);
  strictEqual((await tool.batch(["SELECT 1"])).results[0]?.success, true);
  const missing = {
    code: "UNKNOWN_DATABASE",
    message: 'Cannot use the database "mian": its file does not exist; ' +
      "set create: true on the batch to create it",
    hint: "Databases that you may use: main, far",
  };
  const queries = ["CREATE TABLE t (a)", "SELECT 1"];
  const refused = await tool.batch(queries, { database: "mian" });
  deepStrictEqual(refused.results.map(({ error }) => error), [missing, missing]);
  const undone = await tool.batch(queries, { database: "far", transaction: true });
  deepStrictEqual([undone.results[0]?.error?.code, undone.rolledBack], ["UNKNOWN_DATABASE", true]);
  deepStrictEqual(filesIn(at), ["main.db"]);
  for (const database of ["mian", "far"]) {
    const made = await tool.batch(queries, { database, create: true });
    strictEqual(made.results[0]?.success, true);
    strictEqual((await tool.batch(["SELECT * FROM t"], { database })).results[0]?.success, true);
  }
  deepStrictEqual(filesIn(at), ["main.db", "mian.db"]);
  await Deno.remove(`${at}/mian.db`);
  const removed = await tool.batch(queries, { database: "mian" });
  strictEqual(removed.results[0]?.error?.code, "UNKNOWN_DATABASE");
});

Deno.test("sql-query creates no SQLite file for a caller that may only read it", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: folder.path, HOME };
  const reader = boundedCaller({ databases: { "l*": "ro" } });
  await using tool = await createSqlTool(env, reader);
  for (const create of [false, true]) {
    const { results } = await tool.batch(["SELECT 1"], { database: "logs", create });
    match(results[0]?.error?.message ?? "", /not exist, and a read-only batch does not create it$/);
    strictEqual(results[0]?.error?.hint, "Databases that you may use: none");
  }
  deepStrictEqual(filesIn(folder.path), []);
});

Deno.test({
  ...requires("postgresql", "sql-query lists the databases of its PostgreSQL server for a typo"),
  fn: async () => {
    await using pg = await startPostgres();
    await pg.ask("CREATE DATABASE shop");
    await pg.ask("CREATE DATABASE closed ALLOW_CONNECTIONS false");
    const env = { DATABASE_URL: pg.url() };
    const errorOf = async (caller?: ReturnType<typeof boundedCaller>) => {
      await using tool = await createSqlTool(env, caller);
      const { results } = await tool.batch(["SELECT 1"], { database: "shpo" });
      return results[0]?.error;
    };
    const { code, message, hint } = await errorOf() ?? {};
    deepStrictEqual([code, message], ["3D000", 'database "shpo" does not exist']);
    strictEqual(hint, "Databases that you may use: postgres, shop");
    const bounded = await errorOf(boundedCaller({ databases: { "sh*": "ro" } }));
    strictEqual(bounded?.hint, "Databases that you may use: shop");
  },
});
