import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createJobTools } from "../mcp_server/testing/job_tools.ts";
import { PASSWORD, startPostgres } from "../mcp_server/testing/postgres.ts";
import { requires } from "../test_support/services.ts";

Deno.test("job-input drives python3 -i, one call for each input and its answer", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("python3 -iq", { stdin: true });
  const type = (text: string, until: string) => tools.input(id, text, { until });
  const product = await type("6 * 7\n", "42\n");
  deepStrictEqual([product.matched, product.stdout, product.job.state], [true, "42\n", "running"]);
  await tools.input(id, "def triple(text):\n  return text * 3\n\n");
  const defined = await type("print(triple('€'))\n", "€€€\n");
  deepStrictEqual([defined.matched, defined.stdout], [true, "€€€\n"]);
  const failed = await type("1 / 0\n", "ZeroDivisionError");
  match(failed.stderr, /ZeroDivisionError: division by zero/);
  const { job } = await tools.input(id, "exit(7)\n", { end: true, seconds: 25 });
  match(JSON.stringify(job.result), /"exitCode":7/);
});

const postgres = requires("postgresql", "PostgreSQL");

Deno.test({
  name: `job-input drives psql${postgres.ignore ? ` (${postgres.name})` : ""}`,
  ignore: postgres.ignore,
  fn: async () => {
    await using database = await startPostgres();
    await using tools = await createJobTools();
    const login = `-h 127.0.0.1 -p ${database.port} -U tester postgres`;
    const id = await tools.start(`PGPASSWORD=${PASSWORD} psql -XAt ${login}`, { stdin: true });
    const type = (text: string, until: string) => tools.input(id, text, { until });
    const created = await type("BEGIN; CREATE TABLE t (a int);\n", "CREATE TABLE\n");
    strictEqual(created.matched, true);
    const counted = await type(
      "INSERT INTO t SELECT generate_series(1, 4);\nSELECT 'sum', sum(a) FROM t;\n",
      "sum|10\n",
    );
    deepStrictEqual(counted.stdout, "INSERT 0 4\nsum|10\n");
    match((await type("SELECT nothing;\n", "ERROR:")).stderr, /"nothing" does not exist/);
    const { job, stdout } = await tools.input(id, "ROLLBACK;\n", { end: true, seconds: 25 });
    deepStrictEqual([job.state, stdout], ["completed", "ROLLBACK\n"]);
  },
});

Deno.test("job-input answers with output after its text, or after from", async () => {
  await using tools = await createJobTools();
  const id = await tools.start('while read -r line; do echo "got $line"; done; echo end >&2', {
    stdin: true,
  });
  const written = await tools.input(id, "a\n");
  deepStrictEqual(Object.keys(written.job), ["id", "state"]);
  await tools.wait(id, { until: "got a\n" });
  const b = await tools.input(id, "b\n", { until: "got" });
  deepStrictEqual([b.matched, b.stdout, b.next], [true, "got b\n", { stdout: 12, stderr: 0 }]);
  const from = { stdout: 4, stderr: 0 };
  const c = await tools.input(id, "c\n", { from, until: "got c\n" });
  deepStrictEqual(c.stdout, "a\ngot b\ngot c\n");
  const last = await tools.input(id, "", { end: true, from: c.next, seconds: 25 });
  deepStrictEqual([last.job.state, last.stdout, last.stderr], ["completed", "", "end\n"]);
});

Deno.test("job-input waits until a queued job runs", async () => {
  await using tools = await createJobTools({ MCP_MAX_RUNS: "1" });
  const first = await tools.start("sleep 300");
  const queued = await tools.start("read line; echo got $line", { stdin: true });
  const written = tools.output("job-input", { id: queued, text: "it\n" });
  const { job } = await tools.wait(queued, { seconds: 0 });
  strictEqual(job.state, "queued");
  await tools.output("job-cancel", { id: first });
  await written;
  strictEqual((await tools.wait(queued)).stdout, "got it\n");
});

Deno.test("job-input says why a job takes no input", async () => {
  await using tools = await createJobTools();
  const input = async (id: string, args = {}) =>
    (await tools.refusal("job-input", { id, text: "a\n", ...args }))[0];
  const without = await tools.start("sleep 300");
  strictEqual(await input(without), "JOB_WITHOUT_STDIN");
  const closed = await tools.start("sleep 300", { stdin: true });
  await tools.output("job-input", { id: closed, text: "", end: true });
  strictEqual(await input(closed), "STDIN_CLOSED");
  strictEqual(await input(closed, { text: "\ud800" }), "INVALID_ARGUMENTS");
  for (const id of [without, closed]) await tools.output("job-cancel", { id });
  strictEqual(await input(closed), "JOB_NOT_RUNNING");
});

Deno.test("job-cancel ends a job, again and again, and keeps its output", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("trap '' TERM; echo on; while :; do sleep 0.2; done");
  await tools.wait(id, { until: "on" });
  for (let times = 0; times < 2; times++) {
    const { job } = await tools.output("job-cancel", { id });
    match(JSON.stringify(job), /"state":"cancelled"/);
  }
  strictEqual((await tools.output("job-output", { id })).text, "on\n");
});
