import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "./access/caller.ts";
import { mountTmpfs } from "../test_support/temp_folder.ts";
import { answer, createJobsApp, readWhole, untilEnd } from "./testing/jobs_app.ts";
import { needsRoot } from "./testing/needs_root.ts";
import { processesWith, uniqueSleep } from "./testing/processes.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

for (const transport of ["mcp-http", "http", "embedded"] as const) {
  Deno.test(`a call with onTimeout goes on as a job, with all of its output (${transport})`, async () => {
    await using server = await createJobsApp();
    const gate = `${server.folder}/gate`;
    await new Deno.Command("mkfifo", { args: [gate] }).output();
    const commands = [
      { command: "echo first" },
      { command: `echo second; echo oops >&2; cat ${gate}; echo rest; exit 3` },
      { command: "echo last" },
    ];
    const args = { commands, timeoutMs: 1_000, onTimeout: "job" };
    const { results, job: { id, next } } = await answer(server, "exec-command", args, {
      transport,
    });
    deepStrictEqual(results, [
      { stdout: "first\n", stderr: "", exitCode: 0, timedOut: false },
      { stdout: "second\n", stderr: "oops\n", timedOut: false, running: true },
    ]);
    deepStrictEqual(next, { stdout: 13, stderr: 5 });
    strictEqual((await server.jobs.get(id)).state, "running");
    const { stdout } = await answer(server, "job-wait", { id, from: next, seconds: 0 });
    strictEqual(stdout, "");
    await Deno.writeTextFile(gate, "more\n");
    const { state, result, outcome, exitCode } = await untilEnd(server.jobs, id);
    deepStrictEqual([state, outcome, exitCode], ["completed", "failed", 3]);
    match(JSON.stringify(result), /"second\\nmore\\nrest\\n".*"exitCode":3.*"last\\n"/);
    strictEqual(decode(await readWhole(server.jobs, id)), "first\nsecond\nmore\nrest\nlast\n");
  });
}

Deno.test("a script goes on as a job, which a client that is gone does not stop, and a cancel does", async () => {
  await using server = await createJobsApp();
  const client = new AbortController();
  const sleep = uniqueSleep();
  const args = { script: `echo on; sleep ${sleep}`, timeoutMs: 1_000, onTimeout: "job" };
  const { job, ...running } = await answer(server, "bash-script", args, { client });
  deepStrictEqual(running, { stdout: "on\n", stderr: "", timedOut: false, running: true });
  client.abort();
  strictEqual((await processesWith(sleep)).length > 0, true);
  await server.jobs.cancel(job.id);
  strictEqual((await untilEnd(server.jobs, job.id)).state, "cancelled");
  deepStrictEqual(await processesWith(sleep), []);
});

Deno.test("a server that stops ends the calls that go on as jobs", async () => {
  const sleep = uniqueSleep();
  {
    await using server = await createJobsApp();
    const args = { command: `sleep ${sleep}`, timeoutMs: 500, onTimeout: "job" };
    ok((await answer(server, "exec-command", args)).job.id);
  }
  deepStrictEqual(await processesWith(sleep), []);
});

Deno.test("a call that goes on as a job leaves its place among the running calls", async () => {
  await using server = await createJobsApp({ MCP_MAX_CALLS: "1" });
  const args = { command: "sleep 300", timeoutMs: 500, onTimeout: "job" };
  const { job: { id } } = await answer(server, "exec-command", args);
  const { results: [{ stdout }] } = await answer(server, "exec-command", { command: "echo next" });
  strictEqual(stdout, "next\n");
  await server.jobs.cancel(id);
});

Deno.test("a call goes on as a job up to the longest time-out of a call", async () => {
  await using server = await createJobsApp({ MCP_TIMEOUT_MS: "500", MCP_MAX_TIMEOUT_MS: "2000" });
  const args = { command: "echo on; sleep 300", onTimeout: "job" };
  const { job: { id } } = await answer(server, "exec-command", args);
  const { outcome, result } = await untilEnd(server.jobs, id);
  strictEqual(outcome, "timeout");
  match(JSON.stringify(result), /"timedOut":true.*Stopped after timeoutMs/);
});

Deno.test("a call that can't become a job is stopped by its time-out, and says why", async () => {
  await using server = await createJobsApp({ MCP_MAX_JOBS: "1" });
  const { id } = await server.sh("read", { stdin: true });
  const args = { command: "echo on; sleep 300", timeoutMs: 500, onTimeout: "job" };
  const { results } = await answer(server, "exec-command", args);
  const [{ hint, ...result }] = results;
  const stopped = { exitCode: 143, timedOut: true, signal: "SIGTERM" };
  deepStrictEqual(result, { stdout: "on\n", stderr: "", ...stopped });
  strictEqual(
    hint,
    "Stopped after timeoutMs (500): it can't go on as a job, Cannot start the job: 1 jobs are live; " +
      "cancel one, or try again later",
  );
  strictEqual((await server.jobs.list()).jobs.length, 1);
  await server.jobs.cancel(id);
});

Deno.test("a call without onTimeout says how it could have run longer", async () => {
  await using server = await createJobsApp();
  const args = { command: "sleep 300", timeoutMs: 500 };
  const { results: [{ hint }] } = await answer(server, "exec-command", args);
  strictEqual(hint, "Stopped after timeoutMs (500, at most 600000); job-start runs longer work");
  deepStrictEqual((await server.jobs.list()).jobs, []);
});

Deno.test("an answer that leaves something out has no job while too many are live", async () => {
  await using server = await createJobsApp({ MCP_MAX_JOBS: "1" });
  const { id } = await server.sh("read", { stdin: true });
  const { results: [result] } = await answer(server, "exec-command", { command: "seq 1 600000" });
  deepStrictEqual([result.exitCode, result.truncated, result.job], [0, true, undefined]);
  deepStrictEqual((await server.jobs.list()).jobs.map((job) => job.id), [id]);
  await server.jobs.cancel(id);
});

Deno.test("where jobs can't be kept, calls over MCP are carried out without", async () => {
  await using server = await createJobsApp();
  await using other = await createJobsApp({ HOME: "/proc/none", MCP_DATA_DIR: "" });
  const { results: [result] } = await answer(other, "exec-command", { command: "seq 1 60000" });
  deepStrictEqual([result.exitCode, result.truncated, result.job], [0, true, undefined]);
  strictEqual((await server.jobs.list()).jobs.length, 0);
});

Deno.test("a client that is gone stops a call that is no job yet", async () => {
  await using server = await createJobsApp();
  const client = new AbortController();
  const sleep = uniqueSleep();
  const { service } = server.app;
  const options = { transport: "mcp-http", client, caller: DEFAULT_CALLER } as const;
  const args = { command: `seq 1 100000; sleep ${sleep}` };
  const call = service.call("exec-command", args, options);
  while ((await processesWith(sleep)).length === 0) {
    await new Promise((done) => setTimeout(done, 20));
  }
  client.abort();
  const outcome = await call;
  strictEqual(outcome.ok ? "" : outcome.refusal.code, "CANCELLED");
  deepStrictEqual(await processesWith(sleep), []);
});

Deno.test("a call that could become a task keeps the job that its answer names", async () => {
  await using server = await createJobsApp();
  const options = { transport: "mcp-http" } as const;
  const call = await server.jobs.call("exec-command", { command: "seq 1 60000" }, options);
  const outcome = await call.outcome;
  await call.forget();
  const { result } = JSON.parse(JSON.stringify(outcome));
  const [{ truncated, job: id }] = result.structuredContent.results;
  deepStrictEqual([truncated, (await untilEnd(server.jobs, id)).state], [true, "completed"]);
  const short = await server.jobs.call("exec-command", { command: "echo short" }, options);
  await short.outcome;
  await short.forget();
  deepStrictEqual((await server.jobs.list()).jobs.map((job) => job.id), [id]);
});

Deno.test(...needsRoot("a call over MCP goes on when the disk for its job is full"), async () => {
  await using disk = await mountTmpfs("size=24m");
  await using server = await createJobsApp({ MCP_DATA_DIR: `${disk.path}/data` });
  const command = "head -c 50000000 /dev/zero; sleep 1; echo end; exit 3";
  const { results: [result] } = await answer(server, "exec-command", { command });
  deepStrictEqual([result.exitCode, result.truncated, result.job], [3, true, undefined]);
  match(result.stdout, /end\n$/);
  const { results: [next] } = await answer(server, "exec-command", { command: "seq 1 60000" });
  strictEqual((await untilEnd(server.jobs, next.job)).state, "completed");
});

Deno.test("a job, and a call that could become a task, go on after their time-out too", async () => {
  await using server = await createJobsApp();
  const args = { command: "echo on; sleep 2; echo off", timeoutMs: 500, onTimeout: "job" };
  const { job } = await server.jobs.start({ tool: "exec-command", args });
  const call = await server.jobs.call("exec-command", args, { transport: "mcp-http" });
  const outcome = await call.outcome;
  await call.forget();
  const whole = { stdout: "on\noff\n", stderr: "", exitCode: 0, timedOut: false };
  const { result } = JSON.parse(JSON.stringify(outcome));
  deepStrictEqual(result.structuredContent, { results: [whole] });
  deepStrictEqual((await untilEnd(server.jobs, job.id)).result, { results: [whole] });
  strictEqual((await server.jobs.list()).jobs.length, 2);
});

Deno.test("job-wait continues exactly where the answer of a call that goes on ends", async () => {
  await using server = await createJobsApp();
  const command = "for ((n = 0; n < 400; n++)); do echo line $n; sleep 0.004; done";
  const args = { command, timeoutMs: 700, onTimeout: "job" };
  const { results: [{ stdout }], job: { id, next } } = await answer(server, "exec-command", args);
  let [text, from] = [stdout, next];
  for (let state = "running"; state === "running";) {
    const part = await answer(server, "job-wait", { id, from, seconds: 0 });
    text += part.stdout;
    from = part.next;
    state = part.job.state;
  }
  text += (await answer(server, "job-wait", { id, from, seconds: 0 })).stdout;
  strictEqual(text, Array.from({ length: 400 }, (_, n) => `line ${n}\n`).join(""));
});

Deno.test("a call that has written more than is held in memory goes on as a job, with all of it", async () => {
  await using server = await createJobsApp();
  const gate = `${server.folder}/gate`;
  await new Deno.Command("mkfifo", { args: [gate] }).output();
  const command = `seq 1 60000; cat ${gate}`;
  const args = { command, timeoutMs: 1_000, onTimeout: "job" };
  const { job: { id, next } } = await answer(server, "exec-command", args);
  await Deno.writeTextFile(gate, "rest\n");
  strictEqual((await untilEnd(server.jobs, id)).state, "completed");
  const whole = Array.from({ length: 60_000 }, (_, at) => `${at + 1}\n`).join("");
  strictEqual(decode(await readWhole(server.jobs, id)), `${whole}rest\n`);
  ok(next.stdout <= whole.length);
});
