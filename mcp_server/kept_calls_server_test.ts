import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { tokenOf } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";
import { startJobsServer } from "./testing/jobs_server.ts";
import { processesWith, uniqueSleep, untilProcesses } from "./testing/processes.ts";

const GONE_MS = 10_000;

Deno.test("POST /api with onTimeout answers with the job, and the stream of events ends with it", async () => {
  await using server = await startJobsServer();
  const sleep = uniqueSleep();
  const args = { command: `echo on; sleep ${sleep}`, timeoutMs: 700, onTimeout: "job" };
  const { status, body } = await callApi(server.server.url, "exec-command", args);
  const { results, job: { id, next } } = JSON.parse(JSON.stringify(body));
  deepStrictEqual([status, results, next], [
    200,
    [{ stdout: "on\n", stderr: "", timedOut: false, running: true }],
    { stdout: 3, stderr: 0 },
  ]);
  const { state, title } = await server.job(id);
  deepStrictEqual([state, title], ["running", `exec-command: echo on; sleep ${sleep}`]);
  const streamed = await server.send("/api", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ tool: "exec-command", args }),
  });
  match(await streamed.text(), /event: result\ndata: .*"running":true.*"job":\{"id":"/);
  const { jobs } = await (await server.send("/api/jobs")).json();
  deepStrictEqual(jobs.map(({ state }: { state: string }) => state), ["running", "running"]);
  for (const { id } of jobs) {
    await server.send(`/api/jobs/${id}/cancel`, { method: "POST" });
    strictEqual((await server.ended(id)).state, "cancelled");
  }
  deepStrictEqual(await processesWith(sleep), []);
});

// Without control groups, only the mark in their environment says whose processes they are.
for (const containment of ["auto", "off"]) {
  Deno.test(`a call that goes on as a job is lost with its server, and the next one ends its processes (MCP_CONTAINMENT=${containment})`, async () => {
    await using folder = await createTempFolder();
    const env = { MCP_DATA_DIR: folder.path, MCP_CONTAINMENT: containment };
    const sleep = uniqueSleep();
    await using first = await startJobsServer({ env });
    const command = `echo on; setsid sleep ${sleep} & sleep ${sleep}`;
    const args = { command, timeoutMs: 700, onTimeout: "job" };
    const { body } = await callApi(first.server.url, "exec-command", args);
    const { job: { id } } = JSON.parse(JSON.stringify(body));
    await first.server.stop("SIGKILL");
    strictEqual((await processesWith(sleep)).length > 0, true);
    await using second = await startJobsServer({ env });
    const { state, output } = await second.job(id);
    deepStrictEqual([state, output.stdout.end], ["lost", 3]);
    await untilProcesses(sleep, 0, GONE_MS);
  });
}

Deno.test("another caller neither sees nor reads the job that a call has become", async () => {
  const rights = { tools: ["*"] };
  await using server = await startJobsServer({ callers: { ada: rights, bob: rights } });
  const { url } = server.server;
  const headersOf = (name: string) => ({
    authorization: `Bearer ${tokenOf(name)}`,
    "content-type": "application/json",
  });
  const call = {
    tool: "exec-command",
    args: { command: "sleep 5", timeoutMs: 500, onTimeout: "job" },
  };
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: headersOf("ada"),
    body: JSON.stringify(call),
  });
  const { job: { id } } = await response.json();
  const seen = async (name: string) => {
    const found = await fetch(`${url}/api/jobs/${id}`, { headers: headersOf(name) });
    await found.body?.cancel();
    return found.status;
  };
  deepStrictEqual([await seen("ada"), await seen("bob")], [200, 404]);
});
