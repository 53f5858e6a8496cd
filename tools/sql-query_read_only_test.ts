import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { createSqlTool } from "../mcp_server/testing/sql_tool.ts";
import { requires } from "../test_support/services.ts";

/** Each list is one batch that tries to write. */
const ATTACKS: readonly (readonly string[])[] = [
  ["DELETE FROM kept"],
  ["/* SELECT */ -- SELECT\n DELETE FROM kept"],
  ["WITH d AS (DELETE FROM kept RETURNING id) SELECT * FROM d"],
  ["COMMIT; DELETE FROM kept"],
  ["COMMIT", "DELETE FROM kept"],
  ["ROLLBACK", "DELETE FROM kept"],
  ["COMMIT AND CHAIN", "DELETE FROM kept"],
  ["ROLLBACK AND CHAIN", "DELETE FROM kept", "COMMIT"],
  ["END", "BEGIN", "DELETE FROM kept", "COMMIT"],
  ["BEGIN READ WRITE", "DELETE FROM kept", "COMMIT"],
  ["COMMIT", "BEGIN READ WRITE", "DELETE FROM kept", "COMMIT"],
  ["START TRANSACTION READ WRITE", "DELETE FROM kept", "COMMIT"],
  ["SET TRANSACTION READ WRITE", "DELETE FROM kept", "COMMIT"],
  ["SET transaction_read_only = off", "DELETE FROM kept", "COMMIT"],
  ["SET LOCAL transaction_read_only = off", "DELETE FROM kept", "COMMIT"],
  ["RESET transaction_read_only", "DELETE FROM kept", "COMMIT"],
  ["SET default_transaction_read_only = off", "COMMIT", "DELETE FROM kept"],
  ["SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "COMMIT", "DELETE FROM kept"],
  ["SELECT set_config('transaction_read_only', 'off', false)", "DELETE FROM kept"],
  ["SELECT set_config('transaction_read_only', 'off', true), erase()"],
  [
    "SELECT set_config('default_transaction_read_only', 'off', false)",
    "COMMIT",
    "DELETE FROM kept",
  ],
  ["RESET ALL", "DELETE FROM kept"],
  ["DISCARD ALL", "DELETE FROM kept"],
  ["SAVEPOINT s", "SET TRANSACTION READ WRITE", "DELETE FROM kept", "RELEASE s", "COMMIT"],
  ["DO $$ BEGIN DELETE FROM kept; END $$"],
  ["DO $$ BEGIN COMMIT; DELETE FROM kept; COMMIT; END $$"],
  ["DO $$ BEGIN ROLLBACK; SET TRANSACTION READ WRITE; DELETE FROM kept; COMMIT; END $$"],
  ["DO $$ BEGIN SET TRANSACTION READ WRITE; DELETE FROM kept; END $$"],
  ["DO $$ BEGIN EXECUTE 'RESET transaction_read_only'; DELETE FROM kept; END $$"],
  ["DO $$ BEGIN BEGIN SET LOCAL transaction_read_only = off; EXCEPTION WHEN OTHERS THEN NULL; END; DELETE FROM kept; END $$"],
  ["DO $$ BEGIN PERFORM set_config('transaction_read_only', 'off', false); DELETE FROM kept; END $$"],
  ["SELECT erase()"],
  ["SELECT erase_boldly()"],
  ["CALL erase_and_commit()"],
  ["PREPARE p AS DELETE FROM kept", "COMMIT", "EXECUTE p"],
  ["DECLARE c CURSOR WITH HOLD FOR SELECT 1", "COMMIT", "DELETE FROM kept"],
  ["EXPLAIN ANALYZE DELETE FROM kept"],
  ["CREATE TABLE made AS SELECT 1 AS id"],
  ["SELECT 1 AS id INTO made"],
  ["CREATE TEMP TABLE made (id int)"],
  ["TRUNCATE kept"],
  ["DROP TABLE kept"],
  ["COPY kept FROM PROGRAM 'echo 5'"],
  ["DO $$ BEGIN EXECUTE 'RESET ALL'; DELETE FROM kept; END $$"],
  ["SELECT nextval('counter')"],
  ["SELECT setval('counter', 100)"],
  ["VACUUM FULL kept"],
  ["ALTER SYSTEM SET work_mem = '1MB'"],
  ["SELECT id FROM kept FOR UPDATE"],
];

const SETUP = `
CREATE TABLE kept (id int); INSERT INTO kept VALUES (1), (2);
CREATE SEQUENCE counter;
CREATE FUNCTION erase() RETURNS int LANGUAGE sql VOLATILE AS 'DELETE FROM kept RETURNING id';
CREATE FUNCTION erase_boldly() RETURNS int LANGUAGE sql VOLATILE
  SET transaction_read_only = off AS 'DELETE FROM kept RETURNING id';
CREATE PROCEDURE erase_and_commit() LANGUAGE plpgsql
  AS $$ BEGIN COMMIT; DELETE FROM kept; COMMIT; END $$`;
const STATE =
  "SELECT (SELECT string_agg(id::text, ',') FROM kept) || ' ' || (SELECT last_value || ' ' || is_called FROM counter) || ' ' || (SELECT count(*) FROM pg_class WHERE relname = 'made') AS state";

Deno.test({
  ...requires("postgresql", "sql-query readOnly rejects each batch that tries to write"),
  fn: async () => {
    await using pg = await startPostgres();
    await pg.ask(SETUP);
    // Sees what other connections have committed.
    await using observer = await createSqlTool({ DATABASE_URL: pg.url() });
    const before = await observer.rows(STATE);
    for (const by of ["batch", "server", "caller"]) {
      const env: Record<string, string> = by === "server" ? { MCP_SQL_READ_ONLY: "1" } : {};
      const caller = by === "caller" ? boundedCaller({ databases: { "*": "ro" } }) : undefined;
      await using tool = await createSqlTool({ DATABASE_URL: pg.url(), ...env }, caller);
      for (const queries of ATTACKS) {
        const result = await tool.batch(queries, { readOnly: by === "batch" });
        deepStrictEqual(await observer.rows(STATE), before, queries.join("; "));
        strictEqual(result.rolledBack, undefined, queries.join("; "));
        const next = await tool.batch(["SELECT id FROM kept"], { readOnly: true });
        deepStrictEqual(next.results[0]?.rows, [{ id: 1 }, { id: 2 }], queries.join("; "));
      }
    }
  },
});

Deno.test({
  ...requires(
    "postgresql",
    "sql-query readOnly reads, and leaves the connection writable for the next batch",
  ),
  fn: async () => {
    await using pg = await startPostgres();
    await using tool = await createSqlTool({ DATABASE_URL: pg.url() });
    await tool.rows("CREATE TABLE t (a int[])");
    const { results } = await tool.batch(["SELECT 1 AS a", "oops", "SELECT 2 AS a"], {
      readOnly: true,
    });
    deepStrictEqual(results.map(({ rows, error }) => error?.code ?? rows), [[{ a: 1 }], "42601", [{
      a: 2,
    }]]);
    const refused = await tool.batch(["INSERT INTO t VALUES ('{1}')"], { readOnly: true });
    strictEqual(refused.results[0]?.error?.code, "25006");
    deepStrictEqual(await tool.rows("INSERT INTO t VALUES ('{1}') RETURNING a"), [{ a: [1] }]);
  },
});

Deno.test("sql-query readOnly opens SQLite such that nothing can be written", async () => {
  const folder = await Deno.makeTempDir();
  const env = { MCP_DATA_DIR: folder, HOME: Deno.env.get("HOME") ?? "" };
  try {
    await using tool = await createSqlTool(env);
    const missing = await tool.batch(["SELECT 1"], { readOnly: true });
    strictEqual(missing.results[0]?.error?.code, "SQLITE_CANTOPEN");
    await tool.batch(["CREATE TABLE kept (id)", "INSERT INTO kept VALUES (1)"]);
    const attacks = [
      "DELETE FROM kept",
      "PRAGMA query_only = off",
      "PRAGMA writable_schema = on",
      "PRAGMA user_version = 7",
      "DELETE FROM kept",
      "BEGIN IMMEDIATE",
      "INSERT INTO kept VALUES (2)",
      "ATTACH 'file:x?mode=rwc' AS x",
      `VACUUM INTO '${folder}/copy.db'`,
    ];
    await using always = await createSqlTool({ ...env, MCP_SQL_READ_ONLY: "true" });
    for (const [reader, more] of [[tool, { readOnly: true }], [always, {}]] as const) {
      const { results } = await reader.batch([...attacks, "SELECT id FROM kept"], more);
      deepStrictEqual(results.at(-1)?.rows, [{ id: 1 }]);
      strictEqual(results[0]?.error?.code, "SQLITE_READONLY");
    }
    deepStrictEqual(
      await tool.rows("SELECT id, user_version AS v FROM kept, pragma_user_version"),
      [{ id: 1, v: 0 }],
    );
    deepStrictEqual(
      [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
        !/-(wal|shm)$/.test(name)
      ),
      ["main.db"],
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
