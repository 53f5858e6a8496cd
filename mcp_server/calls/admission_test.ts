import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Caller, DEFAULT_CALLER, type Rights } from "../access/caller.ts";
import { defaultLimits } from "../shared/limits.ts";
import { CallerCalls, checkTimeout } from "./admission.ts";

const LIMITS = defaultLimits(2);

function ci(rights: Partial<Rights> = {}): Caller {
  const none = { tools: [], hosts: [], databases: {}, paths: [], admin: false };
  return { name: "ci", rights: { ...none, ...rights } };
}

Deno.test("checkTimeout() refuses what is longer than the rights allow, and nothing else", () => {
  const caller = ci({ maxTimeoutMs: 1_000 });
  const check = (input: unknown, caller: Caller) =>
    checkTimeout("echo", input, { kind: "call", limits: LIMITS, caller });
  for (const input of [{}, { timeoutMs: 1_000 }, { timeoutMs: "9999" }, null, [9_999], 9_999]) {
    strictEqual(check(input, caller), undefined);
  }
  for (const other of [DEFAULT_CALLER, ci()]) {
    strictEqual(check({ timeoutMs: 9_999 }, other), undefined);
  }
  for (const timeoutMs of [1_000.5, 1_001, Infinity]) {
    const refusal = check({ timeoutMs }, caller);
    deepStrictEqual([refusal?.kind, refusal?.message, refusal?.issues?.[0]?.path], [
      "INVALID_ARGUMENTS",
      'Cannot call "echo": timeoutMs: must be at most 1000 for the caller "ci" (maxTimeoutMs)',
      ["timeoutMs"],
    ]);
  }
});

Deno.test("checkTimeout() refuses what is longer than the settings allow, and names them", () => {
  const refusals = [
    ["call", 600_000, "for a call (MCP_MAX_TIMEOUT_MS); job-start runs longer work"],
    ["job", 86_400_000, "for a job (MCP_MAX_JOB_TIMEOUT_MS)"],
  ] as const;
  for (const caller of [DEFAULT_CALLER, ci(), ci({ maxTimeoutMs: 604_800_000 })]) {
    for (const [kind, most, rule] of refusals) {
      const check = (timeoutMs: number) =>
        checkTimeout("echo", { timeoutMs }, { kind, limits: LIMITS, caller });
      strictEqual(check(most), undefined);
      for (const timeoutMs of [most + 1, Infinity]) {
        const message = `Cannot call "echo": timeoutMs: must be at most ${most} ${rule}`;
        strictEqual(check(timeoutMs)?.message, message);
      }
    }
  }
});

Deno.test("checkTimeout() names no jobs where they may not run longer", () => {
  const limits = { ...LIMITS, maxJobTimeoutMs: LIMITS.maxTimeoutMs };
  const parts = { kind: "call", limits, caller: DEFAULT_CALLER } as const;
  const message = checkTimeout("echo", { timeoutMs: 600_001 }, parts)?.message;
  strictEqual(
    message,
    'Cannot call "echo": timeoutMs: must be at most 600000 for a call (MCP_MAX_TIMEOUT_MS)',
  );
});

Deno.test("CallerCalls counts the calls of a name, also after its rights have changed", () => {
  const calls = new CallerCalls();
  const two = ci({ maxCalls: 2 });
  const [first, second] = [calls.enter(two), calls.enter(two)];
  const third = calls.enter(ci({ maxCalls: 1 }));
  deepStrictEqual("kind" in third && [third.kind, third.retryAfterSeconds, third.message], [
    "BUSY",
    1,
    'Cannot start the call: 1 calls of the caller "ci" are running (maxCalls); ' +
    "try again in a moment",
  ]);
  strictEqual("kind" in calls.enter({ ...two, name: "other" }), false);
  strictEqual("kind" in calls.enter(DEFAULT_CALLER), false);
  if (!("kind" in first)) first[Symbol.dispose]();
  const next = calls.enter(two);
  strictEqual("kind" in next, false);
  strictEqual("kind" in calls.enter(two), true);
  for (const entered of [second, next]) if (!("kind" in entered)) entered[Symbol.dispose]();
  strictEqual("kind" in calls.enter(ci({ maxCalls: 1 })), false);
});
