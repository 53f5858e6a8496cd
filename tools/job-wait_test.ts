import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../mcp_server/domain/caller.ts";
import { isFinal } from "../mcp_server/domain/job.ts";
import { createJobTools } from "../mcp_server/testing/job_tools.ts";
import { untilOutput } from "../mcp_server/testing/jobs_app.ts";

Deno.test("job-wait answers with what is new, so that nothing of a build is lost or repeated", async () => {
  await using tools = await createJobTools();
  const lines = Array.from({ length: 40 }, (_, at) => `€ step ${at} ${"x".repeat(2_000)}\n`);
  const path = `${tools.folder}/steps`;
  await Deno.writeTextFile(path, lines.join(""));
  const build =
    `while read -r line; do echo "$line"; echo "e $((++n))" >&2; sleep 0.01; done <${path}`;
  const id = await tools.start(build);
  let [stdout, stderr] = ["", ""];
  for (let waits = 0; waits < 100; waits++) {
    const { job, next, ...output } = await tools.wait(id, { seconds: waits === 0 ? 0 : 1 });
    stdout += output.stdout;
    stderr += output.stderr;
    strictEqual(new TextEncoder().encode(stdout).length, next.stdout);
    if (isFinal(job.state) && next.stdout === job.output.stdout.end) break;
  }
  strictEqual(stdout, lines.join(""));
  strictEqual(stderr, lines.map((_, at) => `e ${at + 1}\n`).join(""));
  const { stdout: more, matched } = await tools.wait(id);
  deepStrictEqual([more, matched], ["", undefined]);
});

Deno.test("job-wait bounds an answer, and reports bytes that are not kept", async () => {
  await using tools = await createJobTools({ MCP_JOB_OUTPUT_BYTES: "65536" });
  const id = await tools.start("seq -f %015.0f 1 20000");
  const answers = [];
  for (let left = Infinity; left > 0;) {
    const answer = await tools.wait(id);
    answers.push(answer.stdout);
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
  await tools.wait(id, { until: "0".repeat(1_000) });
  await tools.call("job-input", { id, text: "\n" });
  const { stdout, next } = await tools.wait(id);
  match(stdout, /^\[\.\.\. 16640 bytes left out \.\.\.\]\n/);
  ok(stdout.endsWith("\n000000000002000\n"));
  strictEqual(next.stdout, 34_000);
});

Deno.test("job-wait finds a text at once in what was read, across pieces, and in stderr", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("printf rea; read; printf 'dy €'; read; echo lis >&2", {
    stdin: true,
  });
  strictEqual((await tools.wait(id, { until: "rea" })).matched, true);
  deepStrictEqual((await tools.wait(id, { until: "ready", seconds: 0 })).matched, false);
  await tools.call("job-input", { id, text: "\n" });
  const ready = await tools.wait(id, { until: "ready €" });
  deepStrictEqual([ready.matched, ready.stdout, ready.job.state], [true, "dy €", "running"]);
  deepStrictEqual((await tools.wait(id, { until: "eady", seconds: 0 })).stdout, "");
  await tools.call("job-input", { id, text: "\n" });
  strictEqual((await tools.wait(id, { until: "lis\n" })).matched, true);
  const never = await tools.wait(id, { until: "never" });
  deepStrictEqual([never.matched, never.job.state], [false, "completed"]);
});

Deno.test("job-wait leaves an incomplete character for the next wait", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("printf 'a\\342\\202'; read; printf '\\254b\\342'", { stdin: true });
  const first = await tools.wait(id, { until: "a" });
  deepStrictEqual([first.stdout, first.next.stdout], ["a", 1]);
  await tools.call("job-input", { id, text: "\n" });
  const last = await tools.wait(id);
  deepStrictEqual([last.stdout, last.next.stdout], ["€b\ufffd", 6]);
});

Deno.test("two waits for one job share its output between them", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("seq 1000");
  const answers = await Promise.all([tools.wait(id), tools.wait(id), tools.wait(id)]);
  const texts = answers.map(({ stdout }) => stdout).filter((text) => text !== "");
  strictEqual(texts.length, 1);
});

Deno.test("a wait that its client cancels does not count its output as read", async () => {
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
  let read = 0;
  for (let waits = 0; waits < 30 && read < 8_000; waits++) {
    const { next } = await tools.wait(id);
    read = next.stdout + next.stderr;
  }
  strictEqual(read, 8_000);
  const { text, nextOffset } = await tools.output("job-output", { id, limit: 1_000_000 });
  ok(Number(nextOffset) > 500 && String(text).length === nextOffset);
});
