import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createJobsApp, untilEnd, untilRunning } from "./testing/jobs_app.ts";

const KIB = 1024;
const ENV = { MCP_MAX_RUNS: "1", MCP_MAX_JOB_ARGS_BYTES: String(64 * KIB) };

Deno.test("arguments of waiting jobs are bounded in all and for each caller, then starts are busy", async () => {
  await using server = await createJobsApp(ENV);
  const [bob, ann] = ["bob", "ann"].map((name) => server.app.jobs.forCaller({ name }));
  if (bob === undefined || ann === undefined) throw new Error("Cannot see two callers");
  const running = await server.sh("sleep 300");
  await untilRunning(server.jobs, running.id);
  const command = `: ${"x".repeat(12 * KIB)}`;
  const call = { tool: "exec-command", args: { commands: [{ command }] } };
  const { job } = await bob.start(call);
  await rejects(bob.start(call), { code: "BUSY", message: /for each caller \(MCP_MAX_JOB_ARGS/ });
  const other = await ann.start(call);
  await rejects(ann.start(call), { code: "BUSY" });
  await rejects(server.jobs.start(call), { code: "BUSY", message: /those of all \d+, and these/ });
  deepStrictEqual((await bob.list()).jobs.length, 1, "what is refused leaves no job");
  await server.jobs.cancel(running.id);
  for (const [jobs, { id }] of [[bob, job], [ann, other.job]] as const) {
    strictEqual((await untilEnd(jobs, id)).state, "completed");
  }
  strictEqual((await untilEnd(bob, (await bob.start(call)).job.id)).state, "completed");
});

Deno.test("a job that is cancelled while it waits leaves its room, one that runs takes none", async () => {
  await using server = await createJobsApp(ENV);
  const text = "x".repeat(12 * KIB);
  const running = await server.sh(`sleep 300; : ${text}`);
  await untilRunning(server.jobs, running.id);
  for (let time = 0; time < 3; time++) {
    const waiting = await server.sh(`: ${text}`);
    await rejects(server.sh(`: ${text}`), { code: "BUSY" });
    await server.jobs.cancel(waiting.id);
    await untilEnd(server.jobs, waiting.id);
  }
});

Deno.test("a call becomes a job only while there is room for its arguments", async () => {
  await using server = await createJobsApp({ ...ENV, MCP_MAX_RUNS: "4" });
  const args = { commands: [{ command: `sleep 300; : ${"x".repeat(12 * KIB)}` }] };
  const begin = () => server.jobs.call("exec-command", args, { transport: "embedded" });
  const [first, second] = [await begin(), await begin()];
  await first.keep();
  await rejects(second.keep(), { code: "BUSY", message: /^Cannot start the job: the arguments/ });
  first.stop();
  await first.outcome;
  second.stop();
  strictEqual((await second.outcome).ok, false);
});
