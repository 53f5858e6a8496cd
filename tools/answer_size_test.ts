import { deepStrictEqual, match, ok } from "node:assert/strict";
import { times } from "../test_support/tier.ts";
import { DEFAULT_CALLER } from "../mcp_server/access/caller.ts";
import { createJobsApp, type JobsApp, untilEnd } from "../mcp_server/testing/jobs_app.ts";
import { requiresSshd, startSshd } from "../mcp_server/testing/sshd.ts";

const MOST = 40_000;

/** What a client of MCP reads of a call, whose answer must not be too long. */
async function answer({ app }: JobsApp, tool: string, args: object) {
  const outcome = await app.service.call(tool, args, {
    transport: "mcp-http",
    client: new AbortController(),
    caller: DEFAULT_CALLER,
  });
  const data = outcome.ok ? outcome.result.structuredContent : { refusal: outcome.refusal.message };
  const text = JSON.stringify(data);
  ok(text.length <= MOST, `${tool}: ${text.length}`);
  return JSON.parse(text);
}

const list = <Entry>(count: number, toEntry: (at: number) => Entry) =>
  Array.from({ length: count }, (_, at) => toEntry(at));
/** How many results the answer counts only. */
const leftOutOf = ({ leftOut }: { readonly leftOut?: { readonly results?: number } }) =>
  leftOut?.results ?? 0;
/** The different exit codes of results. */
const codesOf = (
  results: { readonly exitCode: number }[],
) => [...new Set(results.map(({ exitCode }) => exitCode))];

Deno.test("exec-command answers for any number of failures with each exit code", async () => {
  await using server = await createJobsApp();
  const cwd = `/nowhere/${'"'.repeat(2_000)}`;
  const failing = list(100, () => ({ command: "true", cwd }));
  const { results: [first, ...results], leftOut } = await answer(server, "exec-command", {
    commands: failing,
  });
  deepStrictEqual([results.length, codesOf(results), leftOut], [99, [126], undefined]);
  match(first.stderr, /^Cannot run "bash": its working folder/);
  const commands = list(times(10, 100), () => ({ command: "seq 1 20000; exit 3" }));
  const loud = await answer(server, "exec-command", { commands });
  deepStrictEqual([loud.results.length, codesOf(loud.results)], [commands.length, [3]]);
});

Deno.test({
  ...requiresSshd("ssh-exec and ssh-copy answer for many hosts in 40,000 characters"),
  fn: async () => {
    await using sshd = await startSshd("Subsystem sftp internal-sftp");
    const config = `Host node*\nHostName 127.0.0.1\nPort ${sshd.port}\nUser root\n`;
    await Deno.writeTextFile(`${sshd.home}/.ssh/config`, config);
    await using server = await createJobsApp({ HOME: sshd.home });
    const hosts = list(times(8, 40), (at) => `node${at}.${"long".repeat(10)}`);
    const commands = ["seq 1 20000", "echo end; exit 3"];
    const loud = await answer(server, "ssh-exec", {
      connections: hosts.map((host) => ({ host, commands })),
      timeoutMs: 600_000,
    });
    deepStrictEqual(loud.results.length + leftOutOf(loud), hosts.length);
    for (const { results } of loud.results) deepStrictEqual(codesOf(results), [0, 3]);
    await Deno.writeTextFile(`${server.folder}/file`, "text");
    const copied = await answer(server, "ssh-copy", {
      direction: "down",
      from: `${server.folder}/file`,
      to: `${server.folder}/copies`,
      connections: hosts.map((host) => ({ host })),
      timeoutMs: 600_000,
    });
    deepStrictEqual(copied.results[0].bytes, 4);
    deepStrictEqual(copied.results.length + leftOutOf(copied), hosts.length);
  },
});

Deno.test("ssh-exec and ssh-copy answer for many hosts that are gone with what fits of them", async () => {
  await using server = await createJobsApp();
  const hosts = list(times(80, 256), (at) => ({ host: `gone${at}.${"x".repeat(180)}.invalid:1` }));
  const commands = list(100, () => "true");
  const executed = await answer(server, "ssh-exec", {
    connections: hosts.map((host) => ({ ...host, commands })),
  });
  deepStrictEqual(Object.keys(executed.leftOut), ["results", "results.results"]);
  match(executed.results[0].error.message, /^Cannot resolve/);
  const file = `${server.folder}/file`;
  await Deno.mkdir(server.folder, { recursive: true });
  await Deno.writeTextFile(file, "text");
  const copied = await answer(server, "ssh-copy", {
    direction: "up",
    from: file,
    to: "/tmp/copy",
    connections: hosts,
  });
  const { results, leftOut } = copied;
  deepStrictEqual(leftOut, { results: hosts.length - results.length });
});

Deno.test("list-files and search-files answer in 40,000 characters, whatever the names are", async () => {
  await using server = await createJobsApp();
  const path = `${server.folder}/files`;
  const inner = `${path}/${"d".repeat(200)}/${'"'.repeat(200)}`;
  await Deno.mkdir(inner, { recursive: true });
  const text = `needle ${"\x01".repeat(300)}\n`.repeat(3);
  for (let at = 0; at < 300; at++) {
    await Deno.writeTextFile(`${inner}/${at}${"\x01".repeat(200)}`, text);
  }
  const { entries, more } = await answer(server, "list-files", { path, depth: 5 });
  deepStrictEqual([entries.length > 10, entries.length + more], [true, 302]);
  const found = await answer(server, "search-files", { path, pattern: "needle", context: 5 });
  deepStrictEqual([found.matches.length > 5, found.truncated], [true, true]);
  const whole = await answer(server, "read-file", { path: `${inner}/0${"\x01".repeat(200)}` });
  deepStrictEqual(whole.content, text);
});

Deno.test("sql-query and sql-schema answer in 40,000 characters, whatever the names are", async () => {
  await using server = await createJobsApp();
  const names = list(300, (at) => `"${at}_${"n".repeat(100)}"`);
  const columns = names.slice(0, 20).join(" TEXT, ");
  const tables = list(100, (at) => `CREATE TABLE "t${at}_${"t".repeat(100)}" (${columns})`);
  const made = await answer(server, "sql-query", { batches: [{ queries: tables }] });
  const [{ results: [first, ...others] }] = made.results;
  deepStrictEqual([first.success, made.leftOut], [true, {
    "results.results": tables.length - others.length - 1,
  }]);
  const row = `SELECT ${names.map((name, at) => `${at} AS ${name}`).join(", ")}`;
  for (const rowsAs of ["objects", "arrays"]) {
    const queries = [`${row} UNION ALL ${row}`];
    await answer(server, "sql-query", { batches: [{ queries }], rowsAs });
  }
  const wrong = list(100, (at) => `SELECT ${"nonsense".repeat(20)}${at}`);
  const errors = await answer(server, "sql-query", {
    batches: list(32, () => ({ queries: wrong })),
  });
  deepStrictEqual(Object.keys(errors.leftOut), ["results", "results.results"]);
  for (const detail of ["names", "columns", "full"]) {
    const schema = await answer(server, "sql-schema", { detail });
    deepStrictEqual([schema.tables.length > 5, schema.leftOut], [true, undefined], detail);
  }
});

Deno.test("what is said of jobs, and a refusal, take 40,000 characters at most", async () => {
  await using server = await createJobsApp();
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) " +
    "SELECT i, 'a row with a text of some length, so that there is much' AS text FROM n";
  const args = { batches: [{ queries: [many, many] }] };
  const { job: { id } } = await server.jobs.start({ tool: "sql-query", args });
  await untilEnd(server.jobs, id);
  const { job, leftOut } = await answer(server, "job-wait", { id });
  const [{ rows, rowCount }] = job.result.results[0].results;
  deepStrictEqual([rows.length > 100, rowCount], [true, 900]);
  deepStrictEqual(leftOut, { "job.result.results.results.rows": 2 * (900 - rows.length) });
  for (const tool of ["job-list", "server-info"]) await answer(server, tool, {});
  await answer(server, "job-cancel", { id });
  const keys = Object.fromEntries(list(1_000, (at) => [`key${at}${"k".repeat(200)}`, 1]));
  const { refusal } = await answer(server, "exec-command", keys);
  match(refusal, /^Cannot call/);
});
