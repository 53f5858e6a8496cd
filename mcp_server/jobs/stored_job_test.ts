import { deepStrictEqual, notStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import {
  ArgumentBudget,
  parseKeptCall,
  titleOf,
  toDigest,
  toKeptCall,
  toNewJob,
} from "./stored_job.ts";
import { createRedactor } from "../shared/log.ts";

Deno.test("toDigest() is the same for the same request, whatever the order of its keys", async () => {
  const first = await toDigest("k", { tool: "t", args: { a: 1, b: { c: [1, 2], d: "" } } });
  const again = { tool: "t", args: { b: { d: "", c: [1, 2] }, a: 1 }, stdin: false };
  strictEqual(await toDigest("k", again), first);
});

Deno.test("toDigest() distinguishes tools, arguments, input, places and keys", async () => {
  const request = { tool: "t", args: { list: [1, 2] } };
  const first = await toDigest("k", request);
  for (
    const [key, other] of [
      ["k", { ...request, tool: "u" }],
      ["k", { ...request, args: { list: [2, 1] } }],
      ["k", { ...request, args: { list: [1, 2], more: null } }],
      ["k", { ...request, stdin: true }],
      ["k", { ...request, on: "name:web-1" }],
      ["k", { ...request, retries: 1 }],
      ["l", request],
    ] as const
  ) {
    notStrictEqual(await toDigest(key, other), first);
  }
});

Deno.test("toNewJob() accepts keys of 1 to 255 characters, and no key", async () => {
  const create = (idempotencyKey?: string) => {
    const options = {
      limits: { jobOutputBytes: 1 },
      redact: (text: string) => text,
      idempotencyKey,
    };
    return toNewJob({ name: "bob" }, { tool: "t" }, options);
  };
  strictEqual((await create()).idempotency, undefined);
  strictEqual((await create("k".repeat(255))).idempotency?.key.length, 255);
  for (const key of ["", "k".repeat(256)]) {
    await rejects(create(key), { code: "INVALID_ARGUMENTS" });
  }
});

const KIB = 1024;
const args = { text: "x".repeat(10 * KIB) };

Deno.test("ArgumentBudget leaves half of its room to other callers, and has it back", () => {
  const budget = new ArgumentBudget(100 * KIB);
  const held = [budget.hold("bob", args), budget.hold("bob", args)];
  throws(() => budget.hold("bob", args), {
    code: "BUSY",
    message: /51200 for each caller \(MCP_MAX_JOB_ARGS_BYTES\); those of "bob" take \d+, those of/,
  });
  held.push(budget.hold("ann", args), budget.hold("ann", args));
  throws(() => budget.hold("eve", { list: [args, args] }), { code: "BUSY" });
  for (const one of held) {
    one[Symbol.dispose]();
    one[Symbol.dispose]();
  }
  strictEqual(budget.total, 0);
  budget.hold("eve", { list: [args, args] });
});

Deno.test("ArgumentBudget counts structure as well as text, and what is not given as little", () => {
  const budget = new ArgumentBudget(100 * KIB);
  throws(() => budget.hold("bob", Array.from({ length: 2 * KIB }, () => [])), { code: "BUSY" });
  throws(() => budget.hold("bob", { ["k".repeat(30 * KIB)]: 1 }), { code: "BUSY" });
  using _held = budget.hold("bob", undefined);
  strictEqual(budget.total < 100, true);
});

Deno.test("titleOf() is the tool and the first 60 characters of what it runs", () => {
  const long = "npm run build -- --filter=web ".repeat(4);
  const titles: readonly (readonly [args: unknown, title: string])[] = [
    [{ command: "npm test" }, "t: npm test"],
    [{ commands: [{ command: "ls" }, { command: "df" }], cwd: "/srv" }, "t: ls"],
    [{ script: "import os\n\nprint(1)\n" }, "t: import os print(1)"],
    [{ connections: [{ host: "web-1", commands: ["uptime"] }] }, "t: uptime"],
    [{ batches: [{ database: "main", queries: ["select 1"] }] }, "t: select 1"],
    [{ command: long }, `t: ${long.slice(0, 60)}`],
    [{ command: "a\0b\x1b[2J" }, "t: a b [2J"],
    [{ command: "x".repeat(59) + "\u{1f600}" }, `t: ${"x".repeat(59)}`],
    [{ seconds: 5 }, "t"],
    [undefined, "t"],
  ];
  for (const [args, title] of titles) {
    strictEqual(titleOf({ tool: "t", args }, (text) => text), title);
  }
});

Deno.test("titleOf() prefers the title that is given, of which 200 characters are kept", () => {
  const request = { tool: "t", args: { command: "ls" } };
  const keep = (text: string) => text;
  strictEqual(titleOf({ ...request, title: " nightly\nbuild " }, keep), "nightly build");
  strictEqual(titleOf({ ...request, title: "x".repeat(500) }, keep), "x".repeat(200));
  strictEqual(titleOf({ ...request, title: " " }, keep), "t: ls");
});

Deno.test("titleOf() redacts a secret before it is cut", () => {
  const redact = (text: string) => text.replaceAll("hunter2hunter2", "[redacted]");
  const command = `${"x".repeat(50)} hunter2hunter2`;
  const title = titleOf({ tool: "t", args: { command } }, redact);
  strictEqual(title, `t: ${"x".repeat(50)} [redacted`);
  strictEqual(titleOf({ tool: "t", title: "hunter2hunter2" }, redact), "[redacted]");
});

const { text: redact } = createRedactor(["hunter22"]);
const keep = (args: unknown, tty?: { rows: number; cols: number }) =>
  parseKeptCall(toKeptCall({ args, tty }, redact));

Deno.test("toKeptCall() keeps what has no secret as it is", () => {
  const args = { commands: [{ command: "make all", stdin: true }], timeoutMs: 30_000 };
  deepStrictEqual(keep(args), { args });
});

Deno.test("toKeptCall() redacts secrets, input and the values of variables", () => {
  const cases = [
    [{ script: "curl -u me:hunter22" }, { script: "curl -u me:[redacted]" }],
    [{ apiKey: "abc" }, { apiKey: "[redacted]" }],
    [{ env: { REGION: "eu", KEY: "abc" } }, { env: { REGION: "[redacted]", KEY: "[redacted]" } }],
    [{ commands: [{ command: "cat", stdin: "text" }] }, {
      commands: [{ command: "cat", stdin: "[redacted]" }],
    }],
  ] as const;
  for (const [args, kept] of cases) deepStrictEqual(keep(args), { args: kept, argsMasked: true });
});

Deno.test("toKeptCall() keeps no arguments that are long, or no object", () => {
  const tty = { rows: 24, cols: 80 };
  deepStrictEqual(keep({ script: "x".repeat(65 * 1024) }, tty), { tty });
  deepStrictEqual(keep("text"), {});
});
