import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { cpuUsage } from "node:process";
import { createJobTools } from "../mcp_server/testing/job_tools.ts";

Deno.test("job-output pages through whole characters, by offset, limit and tail", async () => {
  await using tools = await createJobTools();
  const text = "aé€😀\n".repeat(50);
  const id = await tools.start(
    `printf 'a\\303\\251\\342\\202\\254😀\\n%.0s' {1..50}; echo err >&2`,
  );
  await tools.wait(id);
  const end = new TextEncoder().encode(text).length;
  for (const limit of [1, 2, 3, 4, 5, 7, 64]) {
    let read = "";
    for (let offset = 0; offset < end;) {
      const part = await tools.output("job-output", { id, offset, limit });
      deepStrictEqual([part.offset, part.end, part.gap], [offset, end, undefined]);
      ok(Number(part.nextOffset) > offset, "it goes on");
      read += part.text;
      offset = Number(part.nextOffset);
    }
    strictEqual(read, text, `limit ${limit}`);
  }
  const inside = await tools.output("job-output", { id, offset: 5, limit: 4 });
  deepStrictEqual(inside, { text: "€", offset: 3, nextOffset: 6, end });
  const tail = await tools.output("job-output", { id, tail: 3 });
  deepStrictEqual(tail, { text: "😀\n", offset: end - 5, nextOffset: end, end });
  const none = await tools.output("job-output", { id, offset: end });
  deepStrictEqual(none, { text: "", offset: end, nextOffset: end, end });
  const all = await tools.output("job-output", { id, tail: 1e9, limit: 1e300 });
  strictEqual(all.text, text);
  strictEqual((await tools.output("job-output", { id, stream: "stderr" })).text, "err\n");
});

Deno.test("job-output reports the gap, where a part reaches it and where one begins in it", async () => {
  await using tools = await createJobTools({ MCP_JOB_OUTPUT_BYTES: "16384" });
  const id = await tools.start("seq -f %015.0f 1 2000");
  await tools.wait(id);
  const gap = { from: 1_024, to: 16_640 };
  const head = await tools.output("job-output", { id, offset: 1_000 });
  deepStrictEqual(head, {
    text: "0000063\n000000000000064\n",
    offset: 1_000,
    nextOffset: gap.to,
    end: 32_000,
    gap,
  });
  const refused = await tools.refusal("job-output", { id, offset: 2_000 });
  deepStrictEqual(refused, [
    "BAD_OFFSET",
    "Cannot read from offset 2000: these bytes are not kept; the next offset is 16640",
  ]);
  const found = await tools.output("job-output", { id, search: "^0*(63|200|1041|1042)$" });
  deepStrictEqual(found, {
    matches: [
      { offset: 992, line: "000000000000063" },
      { offset: 16_640, line: "000000000001041" },
      { offset: 16_656, line: "000000000001042" },
    ],
    nextOffset: 32_000,
    end: 32_000,
    gap,
  });
});

Deno.test("job-output finds lines by a regular expression, and goes on where it stopped", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("seq 1 300; printf 'ERROR: é\\r\\nlast\\0'");
  await tools.wait(id);
  const search = async (args: object) => await tools.output("job-output", { id, ...args });
  deepStrictEqual((await search({ search: "(?i)error: .$" })).matches, [
    { offset: 1_092, line: "ERROR: é" },
  ]);
  deepStrictEqual((await search({ search: "^1$|\\x00" })).matches, [
    { offset: 0, line: "1" },
    { offset: 1_103, line: "last\0" },
  ]);
  const first = await search({ search: "^\\d+$" });
  strictEqual(Array.isArray(first.matches) && first.matches.length, 100);
  const second = await search({ search: "^\\d+$", offset: first.nextOffset });
  deepStrictEqual(Array.isArray(second.matches) && second.matches[0], { offset: 292, line: "101" });
  const within = await search({ search: "[12]", offset: 2, limit: 3 });
  deepStrictEqual(within, { matches: [{ offset: 2, line: "2" }], nextOffset: 6, end: 1_108 });
  const tail = await search({ search: "", tail: 6 });
  deepStrictEqual(tail.matches, [{ offset: 1_102, line: "" }, { offset: 1_103, line: "last\0" }]);
  deepStrictEqual((await search({ search: "x", stream: "stderr" })).matches, []);
});

Deno.test("a line that is not complete is searched again once it is", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("printf 'one\\ntwo'; read; echo three", { stdin: true });
  await tools.wait(id, { until: "two" });
  const before = await tools.output("job-output", { id, search: "twothree" });
  deepStrictEqual(before, { matches: [], nextOffset: 4, end: 7 });
  strictEqual((await tools.output("job-output", { id, search: "two" })).nextOffset, 7);
  await tools.call("job-input", { id, text: "\n" });
  await tools.wait(id);
  const after = await tools.output("job-output", { id, search: "twothree", offset: 4 });
  deepStrictEqual(after, { matches: [{ offset: 4, line: "twothree" }], nextOffset: 13, end: 13 });
});

Deno.test("a pattern that backtracks elsewhere is fast on one endless line", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("head -c 2000000 /dev/zero | tr '\\0' a");
  await tools.wait(id);
  const before = cpuUsage();
  const none = await tools.output("job-output", { id, search: "^(a+)+(a+)+(a|aa)+$b" });
  deepStrictEqual(none, { matches: [], nextOffset: 2_000_000, end: 2_000_000 });
  const { user, system } = cpuUsage(before);
  ok(user + system < 5_000_000, `${user + system} µs`);
  const found = await tools.output("job-output", { id, search: "a" });
  const lines = Array.isArray(found.matches) ? found.matches : [];
  deepStrictEqual(lines.length, 8);
  strictEqual(found.nextOffset, 8 * 4_096);
});

Deno.test("job-output refuses what it can't read or search, and says why", async () => {
  await using tools = await createJobTools();
  const id = await tools.start("echo 123");
  await tools.wait(id);
  const cases: [object, string, RegExp][] = [
    [{ id, offset: 5 }, "BAD_OFFSET", /the output ends at 4; the next offset is 4$/],
    [{ id, offset: 1e300 }, "BAD_OFFSET", /the output ends at 4/],
    [{ id, offset: -1 }, "INVALID_ARGUMENTS", /offset/],
    [{ id, offset: 1, tail: 1 }, "BAD_OFFSET", /^Cannot read from offset 1 and the last 1 bytes/],
    [{ id, search: "(" }, "BAD_PATTERN", /^Cannot search for "\(": .*missing closing/],
    [{ id, search: "(?=a)" }, "BAD_PATTERN", /without lookaround and backreferences$/],
    [{ id, search: "(((a{100}){100}){100})" }, "BAD_PATTERN", /repeat/],
    [
      { id, search: "(a|aa|aaa|aaaa|aaaaa){900}[^a]" },
      "BAD_PATTERN",
      / has about \d+ instructions/,
    ],
    [
      { id, search: `(${"ab|bc|".repeat(160)}z){1000}` },
      "BAD_PATTERN",
      /3000 at most; repeat less$/,
    ],
    [{ id, search: "a".repeat(1_001) }, "INVALID_ARGUMENTS", /search/],
    [{ id, stream: "stdin" }, "INVALID_ARGUMENTS", /stream/],
    [
      { id: "nope" },
      "JOB_NOT_FOUND",
      /^Cannot find the job "nope": it is unknown, .*; list the jobs to see their ids$/,
    ],
    [{ id: "x".repeat(100_000) }, "JOB_NOT_FOUND", /^.{1,200}$/],
  ];
  for (const [args, code, message] of cases) {
    const [actual, text] = await tools.refusal("job-output", args);
    deepStrictEqual(actual, code, text);
    match(text, message);
  }
});
