import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { createFleet } from "./testing/fleet.ts";
import { type JobsServer, startJobsServer } from "./testing/jobs_server.ts";
import { startPostgres } from "./testing/postgres.ts";

const SECRET = "hunter2-swordfish";

/** Servers with the callers ada, bob and the admin ops, in a folder of their own. */
async function withCallers() {
  const folder = await createTempFolder();
  const MCP_CALLERS_FILE = await writeCallers(folder.path, {
    ada: EVERYTHING,
    bob: EVERYTHING,
    ops: { ...EVERYTHING, admin: true },
  });
  return {
    env: { MCP_CALLERS_FILE, MCP_DATA_DIR: `${folder.path}/data` },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Calls a tool, as a job if `isJob`, and waits for its end. */
async function call(server: JobsServer, caller: string, command: string, isJob = false) {
  const env = { PASSPHRASE: SECRET };
  const args = { commands: [{ command, env, stdin: SECRET }] };
  const headers = { ...bearerOf(caller), "content-type": "application/json" };
  const response = await server.send("/api", {
    method: "POST",
    headers: isJob ? { ...headers, prefer: "respond-async" } : headers,
    body: JSON.stringify({ tool: "exec-command", args }),
  });
  const { id } = await response.json();
  if (!isJob) return;
  const events = await server.send(`/api/jobs/${id}/events`, { headers: bearerOf(caller) });
  await events.text();
}

async function historyOf(server: JobsServer, caller: string) {
  const response = await server.send("/api/history", { headers: bearerOf(caller) });
  strictEqual(response.status, 200);
  const text = await response.text();
  strictEqual(text.includes(SECRET) || text.includes("PASSPHRASE"), false, text);
  const { calls } = JSON.parse(text);
  return calls.map((one: Record<string, unknown>) => [
    one.caller,
    one.outcome,
    one.server,
    typeof one.job,
  ]);
}

Deno.test("the calls that have ended are known after a restart, to those who may see them", async () => {
  await using callers = await withCallers();
  {
    await using first = await startJobsServer(callers);
    await call(first, "ada", "cat");
    await call(first, "bob", "false");
    await call(first, "ada", "cat", true);
  }
  await using second = await startJobsServer(callers);
  const before = [
    ["ada", "ok", undefined, "string"],
    ["bob", "ok", undefined, "undefined"],
    ["ada", "ok", undefined, "undefined"],
  ];
  deepStrictEqual(await historyOf(second, "ops"), before);
  await call(second, "bob", "true");
  const now = [["bob", "ok", undefined, "undefined"], ...before];
  deepStrictEqual(await historyOf(second, "ops"), now);
  deepStrictEqual(await historyOf(second, "ada"), now.filter(([caller]) => caller === "ada"));
});

Deno.test("the calls of all servers of a fleet are known to any of them, also of one that is gone", async () => {
  await using postgres = await startPostgres();
  await using fleet = await createFleet(postgres);
  await using callers = await withCallers();
  const { MCP_CALLERS_FILE } = callers.env;
  const first = await fleet.join("web-1", { MCP_CALLERS_FILE });
  {
    await using second = await fleet.join("web-2", { MCP_CALLERS_FILE });
    await call(second, "ada", "true");
  }
  await call(first, "bob", "true");
  deepStrictEqual(await historyOf(first, "ops"), [
    ["bob", "ok", "web-1", "undefined"],
    ["ada", "ok", "web-2", "undefined"],
  ]);
  deepStrictEqual(await historyOf(first, "ada"), [["ada", "ok", "web-2", "undefined"]]);
  await postgres.stop();
  // Without its database, a server shows what it has done itself.
  deepStrictEqual(await historyOf(first, "ops"), [["bob", "ok", undefined, "undefined"]]);
});
