import { notStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { ArgumentBudget, toDigest, toNewJob } from "./new_job.ts";

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
  const create = (key?: string) => toNewJob({ name: "bob" }, { tool: "t" }, 1, key);
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
