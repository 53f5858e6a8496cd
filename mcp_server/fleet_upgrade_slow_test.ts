import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type Postgres, startPostgres } from "./testing/postgres.ts";
import { lostSince } from "./testing/recorded_calls.ts";
import { startServer } from "./testing/server_process.ts";

const FIRST = new URL("./testdata/version_0_1_0/", import.meta.url);
const SECOND = new URL("./testdata/version_0_2_0/", import.meta.url);

Deno.test("a fleet goes on with the tables of the first version and of 0.2.0, and leaves newer ones as they are", async () => {
  await using postgres = await startPostgres();
  for (const old of [SECOND, FIRST]) {
    await postgres.ask("DROP DATABASE IF EXISTS upgrade");
    await postgres.ask("CREATE DATABASE upgrade");
    await postgres.ask(await Deno.readTextFile(new URL("fleet.sql", old)), "upgrade");
    await goOn(postgres, old);
  }
  const env = envOf(postgres);
  await postgres.ask("UPDATE old_fleet.version SET version = 99", "upgrade");
  const tables = "SELECT string_agg(concat(j), '') FROM old_fleet.job j";
  const before = await postgres.ask(tables, "upgrade");
  await using server = await startServer({ args: ["--log-level", "error"], env });
  const refused = await fetch(`${server.url}/api/jobs`);
  strictEqual(refused.status, 503);
  match((await refused.json()).detail, /^Cannot keep jobs in PostgreSQL: .*newer version/);
  strictEqual(await postgres.ask(tables, "upgrade"), before);
  strictEqual(await postgres.ask("SELECT version FROM old_fleet.version", "upgrade"), "99");
});

function envOf(postgres: Postgres): Record<string, string> {
  return { MCP_JOBS_URL: postgres.url("upgrade"), MCP_JOBS_SCHEMA: "old_fleet" };
}

/** Starts a server with old tables; reads an ended job, and a running one that is lost. */
async function goOn(postgres: Postgres, old: URL): Promise<void> {
  const [ended, running] = JSON.parse(await Deno.readTextFile(new URL("fleet.json", old)));
  await using server = await startServer({ args: ["--log-level", "error"], env: envOf(postgres) });
  const get = (path: string) => fetch(`${server.url}/api/jobs/${path}`);
  const { expiresAt: _moved, ...kept } = ended.job;
  deepStrictEqual(lostSince(kept, await (await get(ended.job.id)).json()), []);
  strictEqual(await (await get(`${ended.job.id}/stdout`)).text(), ended.stdout);
  strictEqual((await (await get(`${running.job.id}?wait=30`)).json()).state, "lost");
  strictEqual(await (await get(`${running.job.id}/stdout`)).text(), running.stdout);
  const deleted = await fetch(`${server.url}/api/jobs/${running.job.id}`, { method: "DELETE" });
  strictEqual(deleted.status, 204);
  const left = "SELECT count(DISTINCT job) FROM old_fleet.output";
  strictEqual(await postgres.ask(left, "upgrade"), "1");
}
