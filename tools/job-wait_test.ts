import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../mcp_server/access/caller.ts";
import { isFinal } from "../mcp_server/tool/job.ts";
import { createJobTools, type Position } from "../mcp_server/testing/job_tools.ts";
import { untilOutput } from "../mcp_server/testing/jobs_app.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";

const START: Position = { stdout: 0, stderr: 0 };

Deno.test("job-wait answers with what is after from, so that nothing of a build is lost or repeated", async () => {
  await using tools = await createJobTools();
  const lines = Array.from({ length: 40 }, (_, at) => `€ step ${at} ${"x".repeat(2_000)}\n`);
  const path = `${tools.folder}/steps`;
  await Deno.writeTextFile(path, lines.join(""));
  const build =
    `while read -r line; do echo "$line"; echo "e $((++n))" >&2; sleep 0.01; done <${path}`;
  const id = await tools.start(build);
  let [stdout, stderr, from] = ["", "", START];
  for (let waits = 0; waits < 100; waits++) {
    const { job, next, ...output } = await tools.wait(id, { from, seconds: waits === 0 ? 0 : 1 });
    stdout += output.stdout;
    stderr += output.stderr;
    from = next;
    strictEqual(new TextEncoder().encode(stdout).length, next.stdout);
    if (isFinal(job.state) && next.stdout === job.output.stdout.end) break;
  }
  strictEqual(stdout, lines.join(""));
  strictEqual(stderr, lines.map((_, at) => `e ${at + 1}\n`).join(""));
  const { stdout: more, matched } = await tools.wait(id, { from });
  deepStrictEqual([more, matched], ["", undefined]);
});

Deno.test("job-wait gives no output twice: reading a job costs little more than its output", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("seq -f %0999.0f 1 300; seq -f %0999.0f 1 20 >&2", {
    maxOutputBytes: 400_000,
  });
  let [from, answers, isRead] = [START, 0, false];
  while (!isRead) {
    const answer = await tools.wait(id, { from });
    answers += JSON.stringify(answer).length;
    from = answer.next;
    isRead = from.stdout === 300_000 && from.stderr === 20_000;
  }
  ok(answers < 1.1 * 320_000, `${answers} characters`);
});

Deno.test("job-wait depends on its arguments alone, whoever else waits", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("seq 1000");
  const whole = Array.from({ length: 1_000 }, (_, at) => `${at + 1}\n`).join("");
  const { job } = await tools.wait(id);
  strictEqual(job.state, "completed");
  const from = { stdout: 2, stderr: 0 };
  const answers = await Promise.all(
    [START, START, from, from].map((from) => tools.wait(id, { from })),
  );
  deepStrictEqual(answers.map(({ stdout }) => stdout), [
    whole,
    whole,
    whole.slice(2),
    whole.slice(2),
  ]);
});

Deno.test("job-wait loses and repeats nothing where two servers take turns", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: `${folder.path}/data` };
  await using one = await createJobTools(env);
  await using two = await createJobTools(env);
  const id = await one.start("for i in {1..6}; do echo step $i; read; done", { stdin: true });
  let { stdout, next: from } = await two.wait(id, { from: START, until: "step 1\n" });
  for (let step = 2; step <= 6; step++) {
    const tools = step % 2 === 0 ? one : two;
    const answer = await tools.input(id, "\n", { from, until: `step ${step}\n` });
    stdout += answer.stdout;
    from = answer.next;
  }
  strictEqual(stdout, Array.from({ length: 6 }, (_, at) => `step ${at + 1}\n`).join(""));
});

Deno.test("job-wait without from answers with the newest 4 KiB, and searches all that is kept", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("echo first; seq -f %015.0f 1 1000; echo 'e€' >&2; read", {
    stdin: true,
  });
  await tools.wait(id, { until: "000000000001000\n" });
  await tools.wait(id, { until: "e€\n" });
  const newest = await tools.wait(id, { until: "first\n", seconds: 0 });
  strictEqual(newest.matched, true);
  strictEqual(newest.stdout.length, 4_096);
  ok(newest.stdout.endsWith("\n000000000000999\n000000000001000\n"));
  deepStrictEqual([newest.stderr, newest.next], ["e€\n", { stdout: 16_006, stderr: 5 }]);
  const later = await tools.wait(id, { from: newest.next, until: "first\n", seconds: 0 });
  strictEqual(later.matched, false);
  await tools.output("job-cancel", { id });
});

Deno.test("a job-wait without news takes less than 150 characters", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("seq 100000; read", { stdin: true });
  const { next } = await tools.wait(id, { until: "\n100000\n" });
  const output = await tools.output("job-wait", { id, from: next, until: "end", seconds: 0 });
  deepStrictEqual(output, {
    job: { id, state: "running" },
    stdout: "",
    stderr: "",
    next,
    matched: false,
  });
  ok(JSON.stringify(output).length < 150);
  await tools.output("job-cancel", { id });
});

Deno.test("the result in job-wait leaves out stdout and stderr of commands, and nothing else", async () => {
  await using folder = await createTempFolder();
  await using tools = await createJobTools({
    MCP_DATABASE_RUNS: `sqlite://${folder.path}/runs.db`,
  });
  const ended = async (tool: string, args: object) => {
    const { job } = JSON.parse(JSON.stringify(await tools.output("job-start", { tool, args })));
    return await tools.wait(job.id);
  };
  const commands = ["echo out; echo err >&2; exit 3", "echo b"].map((command) => ({ command }));
  const executed = await ended("exec-command", { commands });
  deepStrictEqual(executed.job.result, {
    results: [{ exitCode: 3, timedOut: false }, { exitCode: 0, timedOut: false }],
  });
  deepStrictEqual([executed.stdout, executed.stderr], ["out\nb\n", "err\n"]);
  const script = await ended("bash-script", { script: "echo on" });
  deepStrictEqual([script.job.result, script.stdout], [{ exitCode: 0, timedOut: false }, "on\n"]);
  const query = "SELECT 'a' AS stdout, 'b' AS stderr, 0 AS exitCode";
  const rows = await ended("sql-query", {
    batches: [{ database: "runs", create: true, queries: [query] }],
  });
  match(JSON.stringify(rows.job.result), /"stdout":"a","stderr":"b","exitCode":0/);
  const custom = await ended("report", { steps: 2 });
  deepStrictEqual(custom.job.result, { steps: 2, timeoutMs: 600_000 });
});

Deno.test("what a command of several can't start for is in the output of its job", async () => {
  await using tools = await createJobTools();
  const commands = [{ command: "true", cwd: `${tools.folder}/no` }, { command: "echo on" }];
  const args = { tool: "exec-command", args: { commands } };
  const { job } = JSON.parse(JSON.stringify(await tools.output("job-start", args)));
  const { stdout, stderr } = await tools.wait(job.id);
  match(stderr, /no"/);
  strictEqual(stdout, "on\n");
});

Deno.test("job-wait bounds an answer, and reports bytes that are not kept", async () => {
  await using tools = await createJobTools({ MCP_JOB_OUTPUT_BYTES: "65536" });
  const id = await tools.start("seq -f %015.0f 1 20000");
  await tools.wait(id);
  const answers = [];
  for (let [left, from] = [Infinity, START]; left > 0;) {
    const answer = await tools.wait(id, { from });
    answers.push(answer.stdout);
    from = answer.next;
    left = answer.job.output.stdout.end - answer.next.stdout;
  }
  ok(answers.every(({ length }) => length <= 33_000));
  const whole = answers.join("");
  match(whole, /\n000000000000256\n\[\.\.\. 254464 bytes left out \.\.\.\]\n/);
  strictEqual(whole.split("\n").at(-2), "000000000020000");
  strictEqual(whole.replace(/\[.*\]\n/, "").length, 65_536);
});

Deno.test("job-wait continues after a gap that has grown over what it has not read", async () => {
  await using tools = await createJobTools({ MCP_JOB_OUTPUT_BYTES: "16384" });
  const id = await tools.start("printf %02000d 0; read; seq -f %015.0f 1 2000", { stdin: true });
  const { next: from } = await tools.wait(id, { until: "0".repeat(1_000) });
  await tools.call("job-input", { id, text: "\n" });
  await tools.wait(id);
  const { stdout, next, matched } = await tools.wait(id, { from, until: "000000000002000\n" });
  match(stdout, /^\[\.\.\. 16640 bytes left out \.\.\.\]\n/);
  ok(stdout.endsWith("\n000000000002000\n"));
  deepStrictEqual([next.stdout, matched], [34_000, true]);
});

Deno.test("job-wait refuses a position after the end of the output, before it waits", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("echo on; read", { stdin: true });
  const { next } = await tools.wait(id, { until: "on\n" });
  for (const [tool, more] of [["job-wait", {}], ["job-input", { text: "a\n" }]] as const) {
    deepStrictEqual(await tools.refusal(tool, { id, from: { ...next, stderr: 7 }, ...more }), [
      "BAD_OFFSET",
      "Cannot wait from offset 7 of stderr: the output ends at 0; use next of the last answer " +
      "about this job, or leave out from",
    ]);
  }
  strictEqual((await tools.wait(id, { seconds: 0 })).job.state, "running");
  await tools.output("job-cancel", { id });
});

Deno.test("job-wait finds a text after from at once, across pieces, and in stderr", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("printf rea; read; printf 'dy €'; read; echo lis >&2", {
    stdin: true,
  });
  strictEqual((await tools.wait(id, { until: "rea" })).matched, true);
  deepStrictEqual((await tools.wait(id, { until: "ready", seconds: 0 })).matched, false);
  await tools.call("job-input", { id, text: "\n" });
  const ready = await tools.wait(id, { from: START, until: "ready €" });
  deepStrictEqual([ready.matched, ready.stdout, ready.job.state], [true, "ready €", "running"]);
  const from = { stdout: 2, stderr: 0 };
  strictEqual((await tools.wait(id, { from, until: "ady", seconds: 0 })).matched, true);
  strictEqual((await tools.wait(id, { from, until: "eady", seconds: 0 })).matched, false);
  await tools.call("job-input", { id, text: "\n" });
  strictEqual((await tools.wait(id, { from: ready.next, until: "lis\n" })).matched, true);
  const never = await tools.wait(id, { until: "never" });
  deepStrictEqual([never.matched, never.job.state], [false, "completed"]);
});

Deno.test("job-wait leaves an incomplete character for the next wait", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("printf 'a\\342\\202'; read; printf '\\254b\\342'", { stdin: true });
  const first = await tools.wait(id, { until: "a" });
  deepStrictEqual([first.stdout, first.next.stdout], ["a", 1]);
  await tools.call("job-input", { id, text: "\n" });
  const last = await tools.wait(id, { from: first.next });
  deepStrictEqual([last.stdout, last.next.stdout], ["€b\ufffd", 6]);
});

Deno.test("a wait that its client cancels is refused, and the next one has the output", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("echo on; sleep 300");
  await untilOutput(tools.app.jobs.forCaller(DEFAULT_CALLER), id, "on");
  const client = new AbortController();
  const waiting = tools.call("job-wait", { id, seconds: 50 }, { client });
  client.abort();
  const refused = await waiting;
  strictEqual(!refused.ok && refused.refusal.kind, "CANCELLED");
  strictEqual((await tools.wait(id, { until: "on" })).stdout, "on\n");
  const { job } = await tools.output("job-cancel", { id });
  match(JSON.stringify(job), /"state":"cancelled"/);
});

Deno.test("answers fit into the largest result, whatever the output", async () => {
  await using tools = await createJobTools({ MCP_MAX_RESULT_BYTES: "4096" });
  const id = await tools.start("head -c 4000 /dev/zero; head -c 4000 /dev/zero >&2", {
    maxOutputBytes: 1,
  });
  ok((await tools.wait(id)).stdout.length > 0);
  let [read, from] = [0, START];
  for (let waits = 0; waits < 30 && read < 8_000; waits++) {
    const { next } = await tools.wait(id, { from });
    from = next;
    read = next.stdout + next.stderr;
  }
  strictEqual(read, 8_000);
  const { text, nextOffset } = await tools.output("job-output", { id, limit: 1_000_000 });
  ok(Number(nextOffset) > 500 && String(text).length === nextOffset);
});
