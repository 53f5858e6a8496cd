import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../mcp_server/access/caller.ts";
import { createJobsApp, readWhole, untilEnd } from "../mcp_server/testing/jobs_app.ts";
import { processesWith, uniqueSleep } from "../mcp_server/testing/processes.ts";
import { requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";

/** A server whose `ssh-exec` reaches a host of the test, and what a call answers. */
async function startServer() {
  await using stack = new AsyncDisposableStack();
  const sshd = stack.use(await startSshd());
  const server = stack.use(await createJobsApp({ HOME: sshd.home, USER: "root" }));
  const ends = stack.move();
  const call = async (connections: object[], more: object = {}) => {
    const outcome = await server.app.service.call("ssh-exec", { connections, ...more }, {
      transport: "mcp-http",
      client: new AbortController(),
      caller: DEFAULT_CALLER,
    });
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    return JSON.parse(JSON.stringify(outcome.result.structuredContent));
  };
  const { host } = sshd;
  const { jobs } = server;
  return { host, jobs, call, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

Deno.test({
  ...requiresSshd("ssh-exec goes on as a job with onTimeout, on all hosts, and is stopped as one"),
  fn: async () => {
    await using server = await startServer();
    const sleep = uniqueSleep();
    const commands = ["echo first", `echo second; sleep ${sleep}`, "echo third"];
    const connections = [{ host: server.host, commands }, {
      host: server.host,
      commands: ["id -un"],
    }];
    const limits = { timeoutMs: 2_000, onTimeout: "job" };
    const { results, job: { id, next } } = await server.call(connections, limits);
    const { host } = server;
    deepStrictEqual(results, [
      {
        host,
        username: "root",
        results: [
          { stdout: "first\n", stderr: "", exitCode: 0, timedOut: false },
          { stdout: "second\n", stderr: "", timedOut: false, running: true },
        ],
      },
      {
        host,
        username: "root",
        results: [{ stdout: "root\n", stderr: "", exitCode: 0, timedOut: false }],
      },
    ]);
    deepStrictEqual(next, { stdout: 18, stderr: 0 });
    ok((await processesWith(sleep)).length > 0);
    await server.jobs.cancel(id);
    strictEqual((await untilEnd(server.jobs, id)).state, "cancelled");
    deepStrictEqual(await processesWith(sleep), []);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec goes on to its end as a job, and says so of a time-out without one"),
  fn: async () => {
    await using server = await startServer();
    const connections = [{ host: server.host, commands: ["echo on; sleep 3; echo off; exit 2"] }];
    const { job: { id } } = await server.call(connections, { timeoutMs: 1_500, onTimeout: "job" });
    const { outcome, exitCode } = await untilEnd(server.jobs, id);
    deepStrictEqual([outcome, exitCode], ["failed", 2]);
    strictEqual(new TextDecoder().decode(await readWhole(server.jobs, id)), "on\noff\n");
    const { results } = await server.call(connections, { timeoutMs: 1_500 });
    match(results[0].results[0].hint, /^Stopped after timeoutMs \(1500, .*; job-start runs longer/);
  },
});

Deno.test({
  ...requiresSshd("ssh-exec answers over MCP with 40,000 characters, and a job has the rest"),
  fn: async () => {
    await using server = await startServer();
    const hosts = Array.from({ length: 3 }, () => ({
      host: server.host,
      commands: ["seq 1 20000", "echo done"],
    }));
    const answer = await server.call(hosts);
    ok(JSON.stringify(answer).length <= 40_000);
    const first = answer.results[0].results[0];
    deepStrictEqual([first.truncated, answer.results[0].results[1].job], [true, undefined]);
    strictEqual((await readWhole(server.jobs, first.job)).length, 3 * (108_894 + 5));
  },
});
