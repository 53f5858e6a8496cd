import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createFleet, startOn } from "./testing/fleet.ts";
import { PASSWORD, startPostgres } from "./testing/postgres.ts";
import { serverCommand, startServer } from "./testing/server_process.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

/** Starts a server that is to end by itself. */
async function startInVain(env: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const { command, ...options } = serverCommand({ args: ["--log-level", "error"], env });
  const { code, stderr } = await new Deno.Command(command, { ...options, stdin: "null" }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("a role that may not create the tables ends the start with the SQL that solves it", async () => {
  await postgres.ask(`CREATE ROLE plain LOGIN PASSWORD '${PASSWORD}'`);
  await postgres.ask("CREATE DATABASE jobs");
  const url = `postgres://plain:${PASSWORD}@127.0.0.1:${postgres.port}/jobs`;
  const env = { MCP_JOBS_URL: url, MCP_JOBS_SCHEMA: "own" };
  const { code, stderr } = await startInVain(env);
  strictEqual(code, 1);
  const [line, ...sql] = stderr.trim().split("\n").filter((text) => !text.startsWith("{"));
  match(line ?? "", /^Cannot keep jobs in PostgreSQL: the role may not create the tables; run /);
  deepStrictEqual(sql, [
    'CREATE SCHEMA IF NOT EXISTS "own";',
    'CREATE SCHEMA IF NOT EXISTS "own_boss";',
    'GRANT ALL ON SCHEMA "own", "own_boss" TO plain;',
  ]);
  await postgres.ask(sql.join("\n"), "jobs");
  await using server = await startServer({ args: ["--log-level", "error"], env });
  strictEqual((await fetch(`${server.url}/api/jobs`)).status, 200);
  const tables = "SELECT schemaname, count(*) > 5 FROM pg_tables WHERE schemaname !~ '^(pg_|inf)'";
  strictEqual(await postgres.ask(`${tables} GROUP BY 1 ORDER BY 1`, "jobs"), "own|t\nown_boss|t");
});

Deno.test("a malformed URL ends the start, without a word of it in the message", async () => {
  for (const url of ["mysql://a:secret@b/c", "secret", "postgres://"]) {
    const { code, stderr } = await startInVain({ MCP_JOBS_URL: url });
    deepStrictEqual([code, stderr], [
      2,
      "Cannot use MCP_JOBS_URL: it must be postgres://user@host/database\n",
    ]);
  }
});

Deno.test("a server starts without PostgreSQL, and joins its fleet once that is there", async () => {
  await using other = await startPostgres();
  await other.stop();
  await using fleet = await createFleet(other);
  const server = await fleet.join("web-1");
  const away = await server.send("/api/servers");
  strictEqual(away.status, 503);
  match((await away.json()).detail, /^Cannot keep jobs in PostgreSQL: connect ECONNREFUSED/);
  strictEqual((await server.send("/api/tools")).status, 200);
  await other.start();
  const end = performance.now() + 60_000;
  while ((await server.send("/api/servers")).status !== 200) {
    ok(performance.now() < end, "the server joins");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const job = await startOn(server, "echo on");
  strictEqual((await server.ended(job.id)).state, "completed");
});

Deno.test("a server that is to stop takes no more jobs, and lets those that run end", async () => {
  await using fleet = await createFleet(postgres);
  const first = await fleet.join("web-1", {
    MCP_LABELS: "builder",
    MCP_DRAIN_MS: "30000",
    MCP_DRAIN_NOTICE_MS: "0",
  });
  const second = await fleet.join("web-2");
  const running = await startOn(second, "echo on; read line; echo $line", {
    on: "builder",
    stdin: true,
  });
  await second.running(running.id);
  first.server.process.kill("SIGTERM");
  await untilDraining();
  const next = await startOn(first, "echo late", { on: "builder" });
  strictEqual((await first.send("/healthz")).status, 200);
  await second.send(`/api/jobs/${running.id}/stdin?end=true`, { method: "POST", body: "a line\n" });
  deepStrictEqual([(await first.server.process.status).code], [0]);
  const ended = await second.job(running.id);
  deepStrictEqual([ended.state, ended.server], ["completed", "web-1"]);
  strictEqual((await second.job(next.id)).state, "queued");
  const successor = await fleet.join("web-1", { MCP_LABELS: "builder" });
  strictEqual((await successor.ended(next.id)).state, "completed");

  /** A job that only the first server could run stays in the queue, longer than a pause of it. */
  async function untilDraining(): Promise<void> {
    for (const end = performance.now() + 30_000; performance.now() < end;) {
      const probe = await startOn(second, "true", { on: "builder" });
      const { state } = await (await second.send(`/api/jobs/${probe.id}?wait=3`)).json();
      if (state === "queued") {
        return void await second.send(`/api/jobs/${probe.id}/cancel`, { method: "POST" });
      }
    }
    throw new Error("Cannot see that the server takes no more jobs");
  }
});
