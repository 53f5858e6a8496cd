import { AuditLog } from "./calls/audit.ts";
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { JobError } from "./tool/job.ts";
import {
  createJobsApp,
  readWhole,
  untilEnd,
  untilOutput,
  untilRunning,
} from "./testing/jobs_app.ts";
import { startJobsServer } from "./testing/jobs_server.ts";
import { processesWith, uniqueSleep } from "./testing/processes.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

Deno.test("a job returns what the call returns, and keeps its output", async () => {
  await using server = await createJobsApp();
  const args = { commands: [{ command: "echo out; echo err >&2" }, { command: "exit 3" }] };
  const { job, replayed } = await server.jobs.start({ tool: "exec-command", args });
  match(job.id, UUID);
  deepStrictEqual([job.tool, job.state, replayed], ["exec-command", "queued", false]);
  const end = await untilEnd(server.jobs, job.id);
  const call = await server.call("exec-command", args);
  deepStrictEqual(end.result, call.ok && call.result.structuredContent);
  deepStrictEqual(await server.jobs.outcome(job.id), call);
  deepStrictEqual(end.output, { stdout: { start: 0, end: 4 }, stderr: { start: 0, end: 4 } });
  const times = [end.createdAt, end.startedAt, end.endedAt, end.expiresAt].map((at) =>
    Date.parse(at ?? "")
  );
  deepStrictEqual(times, times.toSorted());
  strictEqual((times[3] ?? 0) - (times[2] ?? 0), 7 * 86_400_000);
  deepStrictEqual((await server.jobs.list()).jobs.map(({ id, result }) => [id, result]), [
    [job.id, undefined],
  ]);
});

Deno.test("unknown tools and wrong arguments are rejected at once, without a job", async () => {
  await using server = await createJobsApp();
  await rejects(server.jobs.start({ tool: "no-such-tool" }), (error) => {
    return error instanceof JobError && error.refusal?.kind === "UNKNOWN_TOOL";
  });
  await rejects(server.jobs.start({ tool: "exec-command", args: { commands: 1 } }), (error) => {
    return error instanceof JobError && error.refusal?.issues?.[0]?.path[0] === "commands";
  });
  deepStrictEqual(await server.jobs.list(), { jobs: [] });
});

Deno.test("a job that fails has the code of the call", async () => {
  await using server = await createJobsApp();
  const args = { commands: [{ command: "true", cwd: "/nowhere" }] };
  const { job } = await server.jobs.start({ tool: "exec-command", args });
  const { state, error, result } = await untilEnd(server.jobs, job.id);
  deepStrictEqual([state, error?.code, result], ["failed", "CWD_NOT_FOUND", undefined]);
});

Deno.test("a job whose result is not JSON fails, and does not stay running", async () => {
  await using server = await createJobsApp();
  const { job } = await server.jobs.start({ tool: "no-json" });
  const { state, error } = await untilEnd(server.jobs, job.id);
  deepStrictEqual([state, error?.code], ["failed", "TOOL_CRASHED"]);
});

Deno.test("cancel ends queued jobs at once, and running ones with all their processes", async () => {
  await using server = await createJobsApp({ MCP_MAX_RUNS: "2" });
  const sleep = uniqueSleep();
  const running = await server.sh(`trap '' TERM; setsid sleep ${sleep} & echo on; sleep ${sleep}`);
  await untilOutput(server.jobs, running.id, "on");
  const queued = await server.sh("echo never");
  strictEqual((await server.jobs.cancel(queued.id)).state, "queued");
  const ended = await untilEnd(server.jobs, queued.id);
  deepStrictEqual([ended.state, ended.error?.code, ended.startedAt], [
    "cancelled",
    "CANCELLED",
    undefined,
  ]);
  await rejects(server.jobs.delete(running.id), { code: "JOB_NOT_ENDED" });
  await server.jobs.cancel(running.id);
  await server.jobs.cancel(running.id);
  strictEqual((await untilEnd(server.jobs, running.id)).state, "cancelled");
  deepStrictEqual(await processesWith(sleep), []);
  strictEqual((await server.jobs.cancel(running.id)).state, "cancelled");
  await server.jobs.delete(running.id);
  await rejects(server.jobs.get(running.id), { code: "JOB_NOT_FOUND" });
});

Deno.test("the first command reads what is written to the job, and reports when it reads no more", async () => {
  await using server = await createJobsApp({ MCP_MAX_RUNS: "2" });
  const write = (id: string, text: string) =>
    server.jobs.writeStdin(id, new TextEncoder().encode(text));
  const repl = await server.sh("python3 -iqc ''", { stdin: true });
  await untilRunning(server.jobs, repl.id);
  const queued = await server.sh("cat", { stdin: true });
  await rejects(write(queued.id, "early"), { code: "JOB_NOT_RUNNING" });
  await write(repl.id, "6 * 7\n");
  await untilOutput(server.jobs, repl.id, "42");
  await write(repl.id, "print('€' * 3)\n");
  await untilOutput(server.jobs, repl.id, "€€€");
  await server.jobs.endStdin(repl.id);
  await rejects(server.jobs.endStdin(repl.id), { code: "STDIN_CLOSED" });
  strictEqual((await untilEnd(server.jobs, repl.id)).state, "completed");
  await untilRunning(server.jobs, queued.id);
  await server.jobs.endStdin(queued.id);
  await untilEnd(server.jobs, queued.id);
  const without = await server.sh("sleep 300");
  await rejects(write(without.id, ""), { code: "JOB_WITHOUT_STDIN" });
  await rejects(write(repl.id, ""), { code: "JOB_NOT_RUNNING" });
});

Deno.test("the last input of a job may end it before its input is closed", async () => {
  await using server = await createJobsApp();
  const { id } = await server.sh("read -r line", { stdin: true });
  await untilRunning(server.jobs, id);
  const { did } = AuditLog.prototype;
  AuditLog.prototype.did = async function (kind, act) {
    if (act.end === true) await untilEnd(server.jobs, id);
    await did.call(this, kind, act);
  };
  try {
    await server.jobs.endStdin(id, new TextEncoder().encode("\n"));
  } finally {
    AuditLog.prototype.did = did;
  }
  strictEqual((await server.jobs.get(id)).state, "completed");
});

Deno.test("a job ends even if its input stays open", async () => {
  await using server = await createJobsApp();
  const job = await server.sh("read line; echo $line; setsid sleep 0.3 >&- 2>&- &", {
    stdin: true,
  });
  await untilRunning(server.jobs, job.id);
  await server.jobs.writeStdin(job.id, new TextEncoder().encode("first\nsecond\n"));
  const { state } = await untilEnd(server.jobs, job.id);
  strictEqual(state, "completed");
  strictEqual(decode(await readWhole(server.jobs, job.id)), "first\n");
});

Deno.test("a job may run longer than a call, and by default has the longest time-out of calls", async () => {
  await using server = await createJobsApp({ MCP_MAX_TIMEOUT_MS: "300", MCP_TIMEOUT_MS: "100" });
  const [unnamed, named] = [
    await server.sh("sleep 60"),
    await server.sh("sleep 0.7; echo slept", { timeoutMs: 60_000 }),
  ];
  const timedOut = await untilEnd(server.jobs, unnamed.id);
  deepStrictEqual(toFlags(timedOut.result), [true]);
  const slept = await untilEnd(server.jobs, named.id);
  deepStrictEqual(toFlags(slept.result), [false]);
  const report = await server.jobs.start({ tool: "report", args: { steps: 0, timeoutMs: 5_000 } });
  deepStrictEqual((await untilEnd(server.jobs, report.job.id)).result, {
    steps: 0,
    timeoutMs: 5_000,
  });
});

function toFlags(result: unknown) {
  return JSON.parse(JSON.stringify(result)).results.map(
    ({ timedOut }: { timedOut: boolean }) => timedOut,
  );
}

Deno.test("calls take precedence over jobs, and jobs leave a permit for them", async () => {
  await using server = await createJobsApp({ MCP_MAX_RUNS: "4", MCP_MAX_QUEUE: "1" });
  const sleep = uniqueSleep();
  const started = await Promise.all(Array.from({ length: 30 }, () => server.sh(`sleep ${sleep}`)));
  const [first, second, third] = started;
  for (const job of [first, second, third]) await untilRunning(server.jobs, job?.id ?? "");
  const { jobs: running } = await server.jobs.list({ state: "running" });
  const { jobs: queued } = await server.jobs.list({ state: "queued", limit: 1_000 });
  deepStrictEqual([running.length, queued.length], [3, 27]);
  const call = await server.call("exec-command", { commands: [{ command: "echo hi" }] });
  strictEqual(call.ok, true);
  await Promise.all(started.map(({ id }) => server.jobs.cancel(id)));
  await Promise.all(started.map(({ id }) => untilEnd(server.jobs, id)));
  deepStrictEqual(await processesWith(sleep), []);
});

Deno.test("a job with the priority of a call is rejected as busy if a call is", async () => {
  await using server = await createJobsApp({ MCP_MAX_RUNS: "1", MCP_MAX_QUEUE: "0" });
  const args = { commands: [{ command: "sleep 300" }] };
  const { job } = await server.jobs.start({ tool: "exec-command", args }, { priority: "call" });
  await untilRunning(server.jobs, job.id);
  const second = await server.jobs.start({ tool: "exec-command", args }, { priority: "call" });
  const { state, error } = await untilEnd(server.jobs, second.job.id);
  deepStrictEqual([state, error?.code], ["failed", "BUSY"]);
});

Deno.test("the same key starts one job, and is rejected with other arguments", async () => {
  await using server = await createJobsApp();
  const start = (steps: number, key = "key") =>
    server.jobs.start({ tool: "report", args: { steps } }, { idempotencyKey: key });
  const all = await Promise.all([start(1), start(1), start(1)]);
  strictEqual(new Set(all.map(({ job }) => job.id)).size, 1);
  strictEqual(all.filter(({ replayed }) => !replayed).length, 1);
  await rejects(start(2), { code: "IDEMPOTENCY_KEY_REUSED" });
  await rejects(start(2, "k".repeat(1_000_000)), { code: "INVALID_ARGUMENTS" });
  await rejects(start(2, ""), { code: "INVALID_ARGUMENTS" });
  strictEqual((await start(2, "k".repeat(255))).replayed, false);
});

Deno.test("jobs are listed in pages, and invalid cursors are rejected", async () => {
  await using server = await createJobsApp();
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) {
    ids.unshift((await server.jobs.start({ tool: "report", args: { steps: 0 } })).job.id);
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await server.jobs.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.jobs.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  deepStrictEqual(seen, ids);
  strictEqual((await server.jobs.list({ limit: -5 })).jobs.length, 1);
  for (const broken of ["", "j", "1", "j-1", "j1'", "j".repeat(1_000_000)]) {
    await rejects(server.jobs.list({ cursor: broken }), { code: "BAD_CURSOR" });
  }
});

Deno.test("the number of kept jobs is bounded: those that ended first are removed, and no live ones", async () => {
  await using server = await createJobsApp({ MCP_MAX_JOBS: "2" });
  const first = await server.sh("true");
  await untilEnd(server.jobs, first.id);
  await server.sh("sleep 300");
  await server.sh("sleep 300");
  await rejects(server.jobs.get(first.id), { code: "JOB_NOT_FOUND" });
  await rejects(server.sh("true"), { code: "BUSY" });
});

Deno.test("a job expires some time after its end", async () => {
  await using server = await createJobsApp({ MCP_JOB_TTL_MS: "3000" });
  const job = await server.sh("true");
  const { endedAt = "", expiresAt = "" } = await untilEnd(server.jobs, job.id);
  strictEqual(Date.parse(expiresAt) - Date.parse(endedAt), 3_000);
  await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 1));
  await rejects(server.jobs.get(job.id), { code: "JOB_NOT_FOUND" });
  deepStrictEqual((await server.jobs.list()).jobs, []);
});

Deno.test("a tool starts a job of its caller, and waits for it", async () => {
  await using server = await createJobsApp();
  const args = { tool: "report", args: { steps: 1 } };
  const outcome = await server.call("start-job", args);
  const job = outcome.ok ? outcome.result.structuredContent : undefined;
  deepStrictEqual([job?.state, job?.result], ["completed", { steps: 1, timeoutMs: 600_000 }]);
  const refused = await server.call("start-job", { tool: "none", args: {} });
  strictEqual(!refused.ok && refused.refusal.code, "UNKNOWN_TOOL");
});

Deno.test("a server that is to stop says so: in its log, on /readyz, and in /api/servers", async () => {
  await using jobs = await startJobsServer({
    args: ["--log-level", "info"],
    env: { MCP_DRAIN_MS: "300000", MCP_DRAIN_NOTICE_MS: "0" },
  });
  const { id } = await jobs.sh("read line", { stdin: true });
  await jobs.running(id);
  strictEqual((await jobs.send("/readyz")).status, 200);
  jobs.server.process.kill("SIGTERM");
  await jobs.server.logged(/"message":"draining: [^"]+","jobs":1,"withinMs":300000/);
  const ready = await jobs.send("/readyz");
  deepStrictEqual([ready.status, await ready.text()], [503, "not ready: draining\n"]);
  strictEqual((await jobs.send("/healthz")).status, 200);
  const { servers } = await (await jobs.send("/api/servers")).json();
  deepStrictEqual(servers.map(({ state }: { state: string }) => state), ["draining"]);
  strictEqual((await jobs.start({ tool: "bash-script", args: { script: "true" } })).status, 503);
  await jobs.send(`/api/jobs/${id}/stdin?end=true`, { method: "POST" });
  strictEqual((await jobs.server.process.status).code, 0);
});

Deno.test("an orderly stop ends running and queued jobs like calls", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: `${folder.path}/data` };
  const server = await createJobsApp({ ...env, MCP_MAX_RUNS: "2" });
  const sleep = uniqueSleep();
  const running = await server.sh(`echo kept; sleep ${sleep}`);
  await untilOutput(server.jobs, running.id, "kept");
  const queued = await server.sh("true");
  await server[Symbol.asyncDispose]();
  deepStrictEqual(await processesWith(sleep), []);
  await rejects(server.jobs.get(running.id), { code: "SHUTTING_DOWN" });
  await rejects(server.sh("true"), { code: "SHUTTING_DOWN" });
  await using next = await createJobsApp(env);
  for (const { id } of [running, queued]) {
    const { state, error } = await next.jobs.get(id);
    deepStrictEqual([state, error?.code], ["failed", "SHUTTING_DOWN"]);
  }
  strictEqual(decode(await readWhole(next.jobs, running.id)), "kept\n");
});
