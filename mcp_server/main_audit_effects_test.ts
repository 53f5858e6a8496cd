import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, EVERYTHING } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";
import { type JobsServer, startJobsServer } from "./testing/jobs_server.ts";
import { postMcp } from "./testing/mcp_request.ts";
import { startServer } from "./testing/server_process.ts";

const ANN = bearerOf("ann");
const BOB = bearerOf("bob");

/** Starts a job of bob, which is in a state once this resolves. */
async function startJob({ start, send }: JobsServer, state: string): Promise<string> {
  const args = { script: "while read line; do :; done; sleep 300" };
  const { id } = await (await start({ tool: "bash-script", args, stdin: true }, BOB)).json();
  for (let known = "";;) {
    const headers = { ...BOB, ...known === "" ? {} : { "if-none-match": known } };
    const response = await send(`/api/jobs/${id}${known === "" ? "" : "?wait=30"}`, { headers });
    known = response.headers.get("etag") ?? known;
    if (known.startsWith(`"${state}-`)) return id;
    await response.body?.cancel();
  }
}

/** The lines of an audit that are about no call; reads it until it has as many. */
async function actsIn(path: string, count: number): Promise<Record<string, unknown>[]> {
  const latest = performance.now() + 30_000;
  for (;;) {
    const lines = (await Deno.readTextFile(path)).split("\n").slice(0, -1);
    const records = lines.map((line) => JSON.parse(line));
    const acts = records.filter(({ audit }) => !["start", "end"].includes(audit));
    if (acts.length >= count || performance.now() > latest) return acts;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("every effect on a job and each reload has a line in the audit that says by whom", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/audit.jsonl`;
  await using jobs = await startJobsServer({
    env: { MCP_AUDIT_FILE: path, MCP_MAX_RUNS: "2" },
    callers: { ann: { ...EVERYTHING, admin: true }, bob: EVERYTHING },
  });
  const { server: { url }, send } = jobs;
  const post = async (at: string, headers: HeadersInit, body = "") => {
    const response = await send(at, { method: "POST", headers, body });
    await response.body?.cancel();
    ok(response.ok, `${at} ${response.status}`);
  };
  const overMcp = async (headers: Record<string, string>, method: string, params: object) =>
    void await (await postMcp(url, { method, params }, { headers })).text();
  const expected: Record<string, unknown>[] = [];
  const expectAct = (audit: string, act: object) =>
    expected.push({ audit, tool: "bash-script", address: "127.0.0.1", transport: "http", ...act });

  const first = await startJob(jobs, "running");
  const queued = await startJob(jobs, "queued");
  await post(`/api/jobs/${first}/stdin`, BOB, "x€\n");
  expectAct("input", { job: first, caller: "bob", bytes: 5 });
  const input = { name: "job-input", arguments: { id: first, text: "y\n", end: true } };
  await overMcp(BOB, "tools/call", input);
  expectAct("input", { job: first, caller: "bob", bytes: 2, transport: "mcp-http" });
  expectAct("input", { job: first, caller: "bob", end: true, transport: "mcp-http" });
  await overMcp(BOB, "tasks/update", { taskId: first, inputResponses: {} });
  expectAct("input", { job: first, caller: "bob", transport: "mcp-http" });
  await post(`/api/jobs/${queued}/cancel`, BOB);
  expectAct("stop", { job: queued, caller: "bob" });
  await post(`/api/jobs/${first}/cancel`, ANN);
  await post(`/api/jobs/${first}/cancel`, ANN);
  expectAct("stop", { job: first, owner: "bob", caller: "ann" });
  const second = await startJob(jobs, "running");
  await overMcp(ANN, "tools/call", { name: "job-cancel", arguments: { id: second } });
  expectAct("stop", { job: second, owner: "bob", caller: "ann", transport: "mcp-http" });
  const third = await startJob(jobs, "running");
  await overMcp(ANN, "tasks/cancel", { taskId: third });
  expectAct("stop", { job: third, owner: "bob", caller: "ann", transport: "mcp-http" });
  const ended = await send(`/api/jobs/${second}`, { method: "DELETE", headers: BOB });
  strictEqual(ended.status, 204);
  expectAct("delete", { job: second, caller: "bob" });
  await post("/api/admin/reload", ANN);
  expected.push({ audit: "reload", transport: "http", caller: "ann", address: "127.0.0.1" });

  const acts = await actsIn(path, expected.length);
  deepStrictEqual(acts.map(({ time: _time, ...act }) => act), expected);
  // The lines of its call name the job too.
  const lines = (await Deno.readTextFile(path)).split("\n");
  match(lines.find((line) => line.includes(first)) ?? "", /"audit":"start".*"transport":"job"/);
});

/** A tool that ends the server as the first thing that it does. */
const KILLER = `
export default ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "End the server.", () => Deno.kill(Deno.pid, "SIGKILL"));
};
`;

Deno.test("the start of a call is in the audit before its tool runs, whatever that does", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/killer.ts`, KILLER);
  const path = `${folder.path}/audit.jsonl`;
  for (const env of [{ MCP_AUDIT_FILE: path }, undefined]) {
    await using server = await startServer({ args: ["--tools", folder.path], ...env && { env } });
    await callApi(server.url, "killer", {}).catch(() => {});
    await server.process.status;
    await server.stop();
    const audit = env === undefined ? server.stderr() : await Deno.readTextFile(path);
    match(audit, /"audit":"start",.*"tool":"killer","caller":"default"\}\n/);
  }
});

Deno.test("no control character of a name is in a line of the audit or the log", async () => {
  await using folder = await createTempFolder();
  const name = `${folder.path}/not\u009b31m\u2028here`;
  await Deno.writeTextFile(`${folder.path}/broken.ts`, `throw new Error("\\u009b31m\\u2028")`);
  await using server = await startServer({ args: ["--tools", folder.path] });
  await callApi(server.url, name, {});
  await server.logged(/"audit":"end".*"outcome":"UNKNOWN_TOOL"/);
  strictEqual(/[\u007f-\u009f\u2028\u2029]/.test(server.stderr()), false, server.stderr());
  match(server.stderr(), /\\u009b31m\\u2028/);
});
