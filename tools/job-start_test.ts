import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../mcp_server/access/caller.ts";
import { createJobTools } from "../mcp_server/testing/job_tools.ts";

const JOB_TOOLS = ["job-start", "job-wait", "job-output", "job-input", "job-cancel", "job-list"];

Deno.test("job-start answers at once, and the job answers what the call answers", async () => {
  await using tools = await createJobTools();
  const args = { commands: [{ command: "read; echo 5; exit 3" }] };
  const { job } = await tools.output("job-start", { tool: "exec-command", args, stdin: true });
  match(JSON.stringify(job), /"state":"queued".*"stdin":true/);
  const { jobs } = await tools.output("job-list", {});
  strictEqual(Array.isArray(jobs) && jobs.length, 1);
  match(JSON.stringify(jobs), /"title":"exec-command: read; echo 5; exit 3"/);
  const id = JSON.parse(JSON.stringify(job)).id;
  await tools.output("job-input", { id, text: "", end: true });
  const { job: { state }, stdout } = await tools.wait(id);
  const { result } = await tools.app.jobs.forCaller(DEFAULT_CALLER).get(id);
  deepStrictEqual([state, stdout, result], ["completed", "5\n", {
    results: [{ stdout: "5\n", stderr: "", exitCode: 3, timedOut: false }],
  }]);
});

Deno.test("job-start gives a job the title of the call, with the server's secrets redacted", async () => {
  await using tools = await createJobTools({ MCP_TOKEN: "hunter2hunter2" });
  const args = { commands: [{ command: "true" }] };
  const title = "nightly build hunter2hunter2";
  await tools.output("job-start", { tool: "exec-command", args, title });
  match(JSON.stringify(await tools.output("job-list", {})), /"title":"nightly build \[redacted\]"/);
});

Deno.test("job-start takes longer time-outs than a call", async () => {
  await using tools = await createJobTools({ MCP_TIMEOUT_MS: "200", MCP_MAX_TIMEOUT_MS: "300" });
  const timeoutMs = 86_400_000;
  const endless = { commands: [{ command: "sleep 300" }], timeoutMs };
  const tooLong = /timeoutMs: must be at most 300 for a call .*; job-start runs longer work$/;
  await rejects(tools.output("exec-command", endless), tooLong);
  const { timeoutMs: _, ...byDefault } = endless;
  match(JSON.stringify(await tools.output("exec-command", byDefault)), /"timedOut":true/);
  const args = { commands: [{ command: "sleep 0.8; echo slept" }], timeoutMs };
  const { job } = await tools.output("job-start", { tool: "exec-command", args });
  const { stdout, job: ended } = await tools.wait(JSON.parse(JSON.stringify(job)).id);
  deepStrictEqual(stdout, "slept\n");
  match(JSON.stringify(ended.result), /"timedOut":false/);
});

Deno.test("job-start refuses unknown tools, wrong arguments and the tools for jobs", async () => {
  await using tools = await createJobTools();
  const cases: [object, string, RegExp][] = [
    [{ tool: "none", args: {} }, "UNKNOWN_TOOL", /^Cannot call "none": there is no such tool;/],
    [{ tool: "exec-command", args: { commands: [{}] } }, "INVALID_ARGUMENTS", /command/],
    [{ tool: "exec-command" }, "INVALID_ARGUMENTS", /args/],
    ...JOB_TOOLS.map((tool): [object, string, RegExp] => [
      { tool, args: {} },
      "NOT_FOR_JOBS",
      new RegExp(`^Cannot start "${tool}" as a job: it ends soon by itself; call it as a tool$`),
    ]),
  ];
  for (const [args, code, message] of cases) {
    const [actual, text] = await tools.refusal("job-start", args);
    strictEqual(actual, code, text);
    match(text, message);
  }
  deepStrictEqual(await tools.output("job-list", {}), { jobs: [] });
});

Deno.test("another caller sees nothing of a job, by any tool", async () => {
  await using tools = await createJobTools();
  const args = { commands: [{ command: "cat" }] };
  const start = { tool: "exec-command", args, stdin: true };
  const { job } = await tools.output("job-start", start, { caller: "one" });
  const { id } = JSON.parse(JSON.stringify(job));
  for (const options of [{ caller: "two" }, { caller: "three" }]) {
    deepStrictEqual(await tools.output("job-list", {}, options), { jobs: [] });
    for (const tool of ["job-wait", "job-output", "job-input", "job-cancel"]) {
      const text = tool === "job-input" ? { text: "a" } : {};
      const [code, message] = await tools.refusal(tool, { id, ...text }, options);
      deepStrictEqual([code, message], [
        "JOB_NOT_FOUND",
        `Cannot find the job "${id}": it is unknown, has expired, or is another caller's; ` +
        "list the jobs to see their ids",
      ]);
    }
  }
  for (const options of [{ caller: "one" }, {}]) {
    const { jobs } = await tools.output("job-list", { state: "running" }, options);
    strictEqual(Array.isArray(jobs) && jobs.length, 1);
  }
  const cancelled = await tools.output("job-cancel", { id }, { caller: "one" });
  match(JSON.stringify(cancelled), /"state":"cancelled"/);
});

Deno.test("job-list has pages, and refuses cursors and states that there are not", async () => {
  await using tools = await createJobTools();
  const ids = [];
  for (let at = 0; at < 5; at++) ids.unshift(await tools.start(`echo ${at}`));
  for (const id of ids) await tools.wait(id);
  const seen = [];
  let cursor = {};
  for (let pages = 0; pages < 3; pages++) {
    const { jobs, nextCursor } = await tools.output("job-list", {
      state: "completed",
      limit: 2,
      ...cursor,
    });
    seen.push(...JSON.parse(JSON.stringify(jobs)));
    cursor = { cursor: nextCursor };
  }
  deepStrictEqual([seen.map(({ id }) => id), cursor], [ids, { cursor: undefined }]);
  deepStrictEqual(seen.map((job) => "result" in job), Array(5).fill(false));
  const [code] = await tools.refusal("job-list", { cursor: "nope" });
  strictEqual(code, "BAD_CURSOR");
  const [invalid] = await tools.refusal("job-list", { state: "done" });
  strictEqual(invalid, "INVALID_ARGUMENTS");
  const { jobs } = await tools.output("job-list", { limit: 1e300 });
  strictEqual(Array.isArray(jobs) && jobs.length, 5);
});
