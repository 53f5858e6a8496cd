import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool, type SqlTool } from "../mcp_server/testing/sql_tool.ts";
import { loadSqlite } from "../mcp_server/toolkit/sql/sqlite_values.ts";
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

function testBoth(what: string, fn: (tool: SqlTool) => Promise<void>): void {
  testPostgres(what, async (tool) => {
    await fn(tool);
    await tool.batch([
      "DROP TABLE IF EXISTS c",
      "DROP TABLE IF EXISTS t",
      "DROP TABLE IF EXISTS p",
    ]);
  });
  testSqlite(what, fn);
}

/** What each query of a batch came to: its error's code, `"skipped"`, or `"ok"`. */
function outcomes({ results }: Awaited<ReturnType<SqlTool["batch"]>>): string[] {
  return results.map(({ error, skipped, success }) => {
    strictEqual(success, error === undefined && skipped === undefined);
    return error?.code ?? (skipped ? "skipped" : "ok");
  });
}

const ALL = { transaction: true };

testPostgres("reports a commit that rolled back", async (tool) => {
  await tool.rows("CREATE TABLE t (id int)");
  for (const commit of ["COMMIT", "/* a */ end", "COMMIT AND CHAIN", "PREPARE TRANSACTION 'a'"]) {
    const batch = await tool.batch(["BEGIN", "INSERT INTO t VALUES (1)", "SELECT 1/0", commit]);
    deepStrictEqual(outcomes(batch), ["ok", "ok", "22012", "TRANSACTION_ABORTED"], commit);
    match(batch.results[3]?.error?.message ?? "", /^Cannot commit the transaction: /);
    strictEqual(batch.rolledBack, true);
  }
  deepStrictEqual(await tool.rows("SELECT id FROM t"), []);
  const asked = await tool.batch(["BEGIN", "SELECT 1/0", "ROLLBACK", "COMMIT"]);
  deepStrictEqual(outcomes(asked), ["ok", "22012", "ok", "ok"]);
  strictEqual(asked.rolledBack, undefined);
  const saved = ["BEGIN", "SAVEPOINT a", "SELECT 1/0", "ROLLBACK TO a", "COMMIT"];
  const kept = await tool.batch(saved);
  deepStrictEqual(outcomes(kept), ["ok", "ok", "22012", "ok", "ok"]);
  strictEqual(kept.rolledBack, undefined);
  await tool.rows("DROP TABLE t");
});

testPostgres("reports a rollback by a constraint that a commit checks", async (tool) => {
  await tool.batch([
    "CREATE TABLE p (id int PRIMARY KEY)",
    "CREATE TABLE c (p int REFERENCES p DEFERRABLE INITIALLY DEFERRED)",
  ]);
  const batch = await tool.batch(["BEGIN", "INSERT INTO c VALUES (9)", "COMMIT", "SELECT 1"]);
  deepStrictEqual(outcomes(batch), ["ok", "ok", "23503", "ok"]);
  strictEqual(batch.rolledBack, true);
  await tool.batch(["DROP TABLE c", "DROP TABLE p"]);
});

testPostgres("doesn't say what became of a commit whose connection was lost", async (tool) => {
  await tool.batch([
    "CREATE TABLE t (id int)",
    "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS " +
    "'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'",
    "CREATE CONSTRAINT TRIGGER leave AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED " +
    "FOR EACH ROW EXECUTE FUNCTION leave()",
  ]);
  const own = await tool.batch(["BEGIN", "INSERT INTO t VALUES (1)", "COMMIT"]);
  deepStrictEqual(outcomes(own), ["ok", "ok", "57P01"]);
  const batch = await tool.batch(["INSERT INTO t VALUES (1)"], ALL);
  deepStrictEqual([outcomes(batch), batch.error?.code], [["ok"], "57P01"]);
  for (const message of [own.results[2]?.error?.message, batch.error?.message]) {
    match(message ?? "", /; check whether the transaction was committed$/);
  }
  deepStrictEqual([own.rolledBack, batch.rolledBack], [undefined, undefined]);
  await tool.batch(["DROP TABLE t", "DROP FUNCTION leave"]);
});

testSqlite("reports a rollback that a query's conflict clause caused", async (tool) => {
  await tool.rows("CREATE TABLE t (id UNIQUE)");
  const batch = await tool.batch([
    "BEGIN",
    "INSERT INTO t VALUES (1)",
    "INSERT OR ROLLBACK INTO t VALUES (1)",
    "SELECT * FROM t",
  ]);
  deepStrictEqual(outcomes(batch), ["ok", "ok", "SQLITE_CONSTRAINT_UNIQUE", "ok"]);
  deepStrictEqual(batch.results[3]?.rows, []);
  strictEqual(batch.rolledBack, true);
});

testBoth("commits the whole batch of a transaction", async (tool) => {
  const done = await tool.batch([
    "CREATE TABLE t (id int)",
    "INSERT INTO t VALUES (1)",
    "SAVEPOINT a",
    "INSERT INTO t VALUES (2)",
    "ROLLBACK TO SAVEPOINT a",
  ], ALL);
  deepStrictEqual(outcomes(done), Array(5).fill("ok"));
  deepStrictEqual([done.rolledBack, done.error], [undefined, undefined]);
  deepStrictEqual(await tool.rows("SELECT id FROM t"), [{ id: 1 }]);
});

testBoth("keeps nothing of a transaction in which a query fails", async (tool) => {
  await tool.rows("CREATE TABLE t (id int)");
  const failing = ["INSERT INTO t VALUES (1)", "SELECT nothing", "INSERT INTO t VALUES (2)"];
  const batch = await tool.batch(failing, ALL);
  deepStrictEqual(outcomes(batch).map((code) => code.replace(/^(42703|SQLITE_ERROR)$/, "error")), [
    "ok",
    "error",
    "skipped",
  ]);
  strictEqual(batch.rolledBack, true);
  deepStrictEqual(await tool.rows("SELECT id FROM t"), []);
});

testBoth("runs nothing of a transaction that ends itself", async (tool) => {
  await tool.rows("CREATE TABLE t (id int)");
  for (const own of ["COMMIT", "/* */ rollback", ";END", "BEGIN", "ROLLBACK AND CHAIN"]) {
    const batch = await tool.batch(["INSERT INTO t VALUES (1)", own, "SELECT 1"], ALL);
    deepStrictEqual(outcomes(batch), ["skipped", "TRANSACTION_CONTROL", "skipped"], own);
    strictEqual(batch.rolledBack, true);
  }
  deepStrictEqual(await tool.rows("SELECT id FROM t"), []);
});

testBoth("reports a failed commit on the batch", async (tool) => {
  await tool.batch([
    "CREATE TABLE p (id int PRIMARY KEY)",
    "CREATE TABLE c (p int REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)",
  ]);
  const batch = await tool.batch(["INSERT INTO c VALUES (9)"], ALL);
  deepStrictEqual(outcomes(batch), ["ok"]);
  match(batch.error?.code ?? "", /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/);
  strictEqual(batch.rolledBack, true);
  deepStrictEqual(await tool.rows("SELECT p FROM c"), []);
});

testBoth("writes nothing in a transaction that only reads", async (tool) => {
  await tool.rows("CREATE TABLE t (id int)");
  const more = { ...ALL, readOnly: true };
  const read = await tool.batch(["SELECT id FROM t", "SELECT 1 AS a"], more);
  deepStrictEqual([outcomes(read), read.rolledBack], [["ok", "ok"], undefined]);
  const write = await tool.batch(["SELECT 1 AS a", "DELETE FROM t", "SELECT 2 AS a"], more);
  match(outcomes(write).join(), /^ok,(25006|SQLITE_READONLY),skipped$/);
  strictEqual(write.rolledBack, true);
});

Deno.test("sql-query on SQLite reports on the batch that a transaction could not begin", async () => {
  await using folder = await createTempFolder();
  const HOME = Deno.env.get("HOME") ?? "";
  await using tool = await createSqlTool({ MCP_DATA_DIR: folder.path, HOME });
  await tool.rows("CREATE TABLE t (id int)");
  const { DatabaseSync } = await loadSqlite();
  const other = new DatabaseSync(`${folder.path}/main.db`, { readOnly: false, timeout: 0 });
  other.exec("BEGIN IMMEDIATE");
  const queries = ["SELECT 1", "SELECT 2"];
  const [batch] = await tool.call({ batches: [{ queries, ...ALL }], timeoutMs: 300 });
  other.close();
  deepStrictEqual(batch && outcomes(batch), ["skipped", "skipped"]);
  strictEqual(batch?.error?.code, "SQLITE_INTERRUPT");
  strictEqual(batch?.rolledBack, true);
});

Deno.test("sql-query skips the other queries of a transaction without a database", async () => {
  await using tool = await createSqlTool({ DATABASE_URL: "mysql://a" });
  const batch = await tool.batch(["SELECT 1", "SELECT 2"], ALL);
  deepStrictEqual(outcomes(batch), ["BAD_DATABASE_URL", "skipped"]);
  strictEqual(batch.rolledBack, true);
});
