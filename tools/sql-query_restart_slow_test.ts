import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { callApi } from "../mcp_server/testing/http_caller.ts";
import { PASSWORD, startPostgres } from "../mcp_server/testing/postgres.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { requires } from "../test_support/services.ts";

/** The permissions of `deno task start`. */
const PERMISSIONS = ["read", "write", "run", "env", "net", "sys"].map((name) => `--allow-${name}`);

const RUNNING =
  "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'";

/** What the server has logged after so many idle connections were lost. */
function lost(times: number): RegExp {
  return new RegExp(`(?:idle database connection lost[^]*){${times}}`);
}

Deno.test({
  ...requires("postgresql", "sql-query works again after a stop of PostgreSQL, idle or busy"),
  fn: async () => {
    await using pg = await startPostgres();
    const env = { DATABASE_URL: pg.url(), MCP_LOG_LEVEL: "debug" };
    await using server = await startServer({ env, permissions: PERMISSIONS });
    const ask = async (query: string) => {
      const { body } = await callApi(server.url, "sql-query", {
        batches: [{ queries: [query, "SELECT 2 AS n"] }],
      });
      const [{ results }] = body.results as [
        { results: { rows: { n: number }[]; error?: { code: string } }[] },
      ];
      return results.map(({ rows, error }) => error?.code ?? rows[0]?.n);
    };
    deepStrictEqual(await ask("SELECT 1 AS n"), [1, 2]);

    await pg.stop();
    await server.logged(lost(1));
    deepStrictEqual(await ask("SELECT 1 AS n"), ["ECONNREFUSED", "ECONNREFUSED"]);
    await pg.start();
    deepStrictEqual(await ask("SELECT 1 AS n"), [1, 2]);

    const hit = ask("SELECT pg_sleep(60)");
    await pg.until(RUNNING, "1");
    await pg.stop();
    const [first, second] = await hit;
    strictEqual(/^(57P0[12]|08006|ECONNRESET)$/.test(String(first)), true, String(first));
    strictEqual(second, "08006");
    await pg.start();
    deepStrictEqual(await ask("SELECT 1 AS n"), [1, 2]);

    await pg.ask(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'trestle'",
    );
    await server.logged(lost(2));
    deepStrictEqual(await ask("SELECT 1 AS n"), [1, 2]);
    strictEqual(server.stderr().includes(PASSWORD), false);
    strictEqual(server.stderr().includes("uncaught"), false, server.stderr());
    strictEqual(await server.stop(), 0);
    await pg.until(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'trestle'",
      "0",
    );
  },
});

Deno.test({
  ...requires(
    "postgresql",
    "sql-query cancels in the engine when the client disconnects",
  ),
  fn: async () => {
    await using pg = await startPostgres();
    await using server = await startServer({
      env: { DATABASE_URL: pg.url() },
      permissions: PERMISSIONS,
    });
    const controller = new AbortController();
    const batches = [{ queries: ["SELECT pg_sleep(600)"] }];
    const gone = callApi(server.url, "sql-query", { batches }, { signal: controller.signal }).catch(
      () => {},
    );
    await pg.until(RUNNING, "1");
    controller.abort();
    await gone;
    await pg.until(RUNNING, "0");
  },
});

Deno.test({
  ...requires("postgresql", "sql-query: a server loads no driver before the first query"),
  fn: async () => {
    await using pg = await startPostgres();
    await using server = await startServer({
      env: { DATABASE_URL: pg.url(), DENO_LOG: "debug" },
      permissions: PERMISSIONS,
    });
    const loaded = () => /\/pg\/8[^ ]*\/lib\/client\.js/.test(server.stderr());
    strictEqual(loaded(), false);
    await callApi(server.url, "sql-query", { batches: [{ queries: ["SELECT 1"] }] });
    strictEqual(loaded(), true);
  },
});
