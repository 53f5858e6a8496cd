import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { answer, createJobsApp, readWhole, untilEnd } from "./testing/jobs_app.ts";

Deno.test("over MCP, an answer has 32 KiB of a text, and a job has what it leaves out", async () => {
  await using server = await createJobsApp();
  const args = { command: "seq 1 60000; seq 1 5 >&2" };
  const { results: [{ stdout, stderr, truncated, job: id }] } = await answer(
    server,
    "exec-command",
    args,
  );
  ok(stdout.length < 33_000 && stdout.length > 30_000, `${stdout.length}`);
  deepStrictEqual([truncated, stderr], [true, "1\n2\n3\n4\n5\n"]);
  match(stdout, /^1\n2\n[^]*bytes left out[^]*\n60000\n$/);
  const { state, title } = await server.jobs.get(id);
  deepStrictEqual([state, title], ["completed", "exec-command: seq 1 60000; seq 1 5 >&2"]);
  const whole = Array.from({ length: 60_000 }, (_, at) => `${at + 1}\n`).join("");
  strictEqual(new TextDecoder().decode(await readWhole(server.jobs, id)), whole);
  const { matches } = await answer(server, "job-output", { id, search: "^31415$" });
  strictEqual(matches.length, 1);
});

Deno.test("over MCP, an answer of any number of commands takes at most 40,000 characters", async () => {
  await using server = await createJobsApp();
  for (const count of [1, 2, 10, 100]) {
    const commands = Array.from({ length: count }, (_, at) => ({
      command: `seq ${at} 9000; head -c 9000 /dev/zero`,
    }));
    const all = await answer(server, "exec-command", { commands });
    const length = JSON.stringify(all).length;
    ok(length <= 40_000, `${count}: ${length}`);
    strictEqual(new Set(all.results.map(({ job }: { job: string }) => job)).size, 1);
  }
});

Deno.test("a call over MCP that asks for more gets it, without a job; the HTTP API as ever", async () => {
  await using server = await createJobsApp();
  const command = "seq 1 60000";
  const more = { command, maxOutputBytes: 1_000_000 };
  const { results: [all] } = await answer(server, "exec-command", more);
  deepStrictEqual([all.stdout.length, all.truncated, all.job], [348_894, undefined, undefined]);
  const http = { transport: "http" } as const;
  const { results: [byHttp] } = await answer(server, "exec-command", { command }, http);
  deepStrictEqual([byHttp.stdout.length > 131_000, byHttp.truncated], [true, true]);
  strictEqual(byHttp.job, undefined);
  const { results: [half] } = await answer(server, "exec-command", { ...more, command: "echo a" });
  deepStrictEqual(half, { stdout: "a\n", stderr: "", exitCode: 0, timedOut: false });
  deepStrictEqual((await server.jobs.list()).jobs, []);
});

Deno.test("over MCP, read-file gives 32 KiB and where to go on, until all is read", async () => {
  await using server = await createJobsApp();
  const lines = Array.from({ length: 9_000 }, (_, at) => `line ${at} "ä\u{1f600}"\t\n`).join("");
  const path = `${server.folder}/large`;
  await Deno.writeTextFile(path, lines);
  const read = async (args: object, next: "nextLine" | "nextOffset", argument: string) => {
    let [text, from] = ["", {}];
    for (let calls = 0; calls < 100; calls++) {
      const part = await answer(server, "read-file", { path, ...args, ...from });
      ok(JSON.stringify(part).length <= 40_000 && part.content.length <= 32_768);
      text += part.content;
      if (part[next] === undefined) return [calls > 3, text === lines];
      from = { [argument]: part[next] };
    }
    return [];
  };
  deepStrictEqual(await read({}, "nextOffset", "offset"), [true, true]);
  deepStrictEqual(await read({ line: 1 }, "nextLine", "line"), [true, true]);
  const { content } = await answer(server, "read-file", { path, encoding: "base64" });
  strictEqual(content.length, 32_768);
  const more = await answer(server, "read-file", { path, limit: 300_000 });
  strictEqual(more.content, lines);
  const http = await answer(server, "read-file", { path }, { transport: "http" });
  strictEqual(http.content, lines);
});

Deno.test("over MCP, read-file cuts what takes many characters as JSON, and still shows images", async () => {
  await using server = await createJobsApp();
  const path = `${server.folder}/controls`;
  await Deno.writeTextFile(path, "\x01".repeat(50_000));
  for (const args of [{}, { line: 1 }]) {
    const part = await answer(server, "read-file", { path, ...args });
    ok(JSON.stringify(part).length <= 40_000);
    strictEqual(part.nextOffset, part.content.length);
  }
  const image = `${server.folder}/image.png`;
  const png = new Uint8Array(200_000);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  await Deno.writeFile(image, png);
  const { mimeType, size } = await answer(server, "read-file", { path: image });
  deepStrictEqual([mimeType, size], ["image/png", 200_000]);
});

Deno.test("over MCP, job-output and job-wait give 40,000 characters, and nothing is unreachable", async () => {
  await using server = await createJobsApp();
  const command = `printf '\\1%.0s' {1..40000}; printf '"%.0s' {1..30000} >&2`;
  const { id } = await server.sh(command);
  await untilEnd(server.jobs, id);
  let [stdout, stderr, from] = ["", "", { stdout: 0, stderr: 0 }];
  for (let calls = 0; calls < 30 && stdout.length + stderr.length < 70_000; calls++) {
    const part = await answer(server, "job-wait", { id, from, seconds: 0 });
    ok(JSON.stringify(part).length <= 40_000, `${JSON.stringify(part).length}`);
    stdout += part.stdout;
    stderr += part.stderr;
    from = part.next;
  }
  deepStrictEqual([stdout, stderr], ["\x01".repeat(40_000), '"'.repeat(30_000)]);
  let [text, offset] = ["", 0];
  for (let calls = 0; calls < 30 && text.length < 40_000; calls++) {
    const part = await answer(server, "job-output", { id, offset });
    ok(JSON.stringify(part).length <= 40_000);
    text += part.text;
    offset = part.nextOffset;
  }
  strictEqual(text, stdout);
  const whole = await answer(server, "job-output", { id, limit: 40_000 });
  strictEqual(whole.text, stdout);
});

Deno.test("over MCP, sql-query answers with 40,000 characters unless maxRows asks for more", async () => {
  await using server = await createJobsApp();
  const many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) " +
    "SELECT i, 'row number ' || i || ' of nine hundred, with \"quotes\"' AS text FROM n";
  const batches = [{ queries: [many, many, "SELECT 1 AS one"] }];
  for (const rowsAs of ["objects", "arrays"]) {
    const all = await answer(server, "sql-query", { batches, rowsAs });
    ok(JSON.stringify(all).length <= 40_000, `${JSON.stringify(all).length}`);
    const [{ results: [first] }] = all.results;
    deepStrictEqual([first.truncated, first.rows.length > 300], [true, true]);
  }
  const { results: [{ results }] } = await answer(server, "sql-query", { batches, maxRows: 900 });
  deepStrictEqual(results.map(({ rowCount }: { rowCount: number }) => rowCount), [900, 900, 1]);
  const wide = [{ queries: ["SELECT printf('%.*c', 60000, 'x') AS wide"] }];
  const { results: [{ results: [{ error }] }] } = await answer(server, "sql-query", {
    batches: wide,
  });
  match(error.message, /^Cannot answer a row of 600\d\d bytes: .* or 1048576 with maxRows, so/);
});
