import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { type Caller, DEFAULT_CALLER, type Rights } from "../access/caller.ts";
import { defaultLimits } from "../shared/limits.ts";
import { StagedRegistrar, ToolRegistry } from "../tool/registry.ts";
import { buildResponse } from "../tool/result.ts";
import type { Shape } from "../tool/schema.ts";
import {
  AllowedTools,
  CallCount,
  checkTimeout,
  limitsOf,
  toJobLimits,
  validateForJob,
} from "./admission.ts";

function ci(rights: Partial<Rights> = {}): Caller {
  const none = { tools: [], hosts: [], databases: {}, paths: [], admin: false };
  return { name: "ci", rights: { ...none, ...rights } };
}

const HOUR_MS = 3_600_000;
const LIMITS = defaultLimits(2);
const JOB_LIMITS = toJobLimits(LIMITS);

async function validated(shape: Shape, args: unknown): Promise<unknown> {
  const registrar = new StagedRegistrar("slow");
  registrar.registerTool("slow", { inputSchema: shape }, () => buildResponse({}));
  const [tool] = registrar.tools;
  if (tool === undefined) throw new TypeError("Cannot validate: no tool is registered");
  const validation = await validateForJob(tool, args, JOB_LIMITS);
  return validation.ok ? validation.value : validation.issues.map(({ path }) => path);
}

const CASES: [string, Shape, unknown, unknown][] = [
  [
    "a time-out beyond that of the schema",
    { timeoutMs: z.int().max(600_000).optional() },
    { timeoutMs: HOUR_MS },
    { timeoutMs: HOUR_MS },
  ],
  [
    "a time-out at an exclusive bound",
    { timeoutMs: z.int().lt(600_000) },
    { timeoutMs: 600_000 },
    { timeoutMs: 600_000 },
  ],
  ["no time-out", { timeoutMs: z.int().optional() }, {}, { timeoutMs: 600_000 }],
  ["the default of a schema", { timeoutMs: z.int().default(5) }, {}, { timeoutMs: 600_000 }],
  ["a short time-out", { timeoutMs: z.int().default(5) }, { timeoutMs: 7 }, { timeoutMs: 7 }],
  ["a tool without time-out", { n: z.int() }, { n: 1 }, { n: 1 }],
  ["a wrong time-out", { timeoutMs: z.int().max(9) }, { timeoutMs: "9" }, [["timeoutMs"]]],
  ["a broken time-out", { timeoutMs: z.int().max(9) }, { timeoutMs: 9.5 }, [["timeoutMs"]]],
  ["another wrong argument", { timeoutMs: z.int().max(9), n: z.int() }, { timeoutMs: 99, n: "" }, [[
    "n",
  ]]],
  ["no arguments at all", { timeoutMs: z.int().optional() }, undefined, [[]]],
];

for (const [name, shape, args, expected] of CASES) {
  Deno.test(`validateForJob() takes ${name}`, async () => {
    deepStrictEqual(await validated(shape, args), expected);
  });
}

Deno.test("toJobLimits() changes the time-outs only", () => {
  const { timeoutMs, maxTimeoutMs, ...rest } = JOB_LIMITS;
  const { timeoutMs: _, maxTimeoutMs: longest, ...others } = LIMITS;
  deepStrictEqual([timeoutMs, maxTimeoutMs], [longest, 24 * HOUR_MS]);
  deepStrictEqual(rest, others);
  strictEqual(rest.maxJobTimeoutMs, 24 * HOUR_MS);
});

Deno.test("limitsOf() cuts the time-outs of a caller to its rights, and never raises them", () => {
  for (const caller of [DEFAULT_CALLER, ci()]) strictEqual(limitsOf(LIMITS, caller), LIMITS);
  const timeouts = (maxTimeoutMs: number) => {
    const limits = limitsOf(LIMITS, ci({ maxTimeoutMs }));
    const { timeoutMs, maxTimeoutMs: most } = limits;
    deepStrictEqual(limits, { ...LIMITS, timeoutMs, maxTimeoutMs: most });
    return [timeoutMs, most];
  };
  deepStrictEqual(timeouts(1_000), [1_000, 1_000]);
  deepStrictEqual(timeouts(60_000), [30_000, 60_000]);
  deepStrictEqual(timeouts(86_400_000), [30_000, 600_000]);
  const caller = ci({ maxTimeoutMs: 1 });
  strictEqual(limitsOf(LIMITS, caller), limitsOf(LIMITS, caller));
});

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

Deno.test("CallCount counts the calls of a name, also after its rights have changed", () => {
  const calls = new CallCount(10);
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

Deno.test("CallCount counts all calls, and the end of each once", () => {
  const calls = new CallCount(2);
  const [first] = [calls.enter(DEFAULT_CALLER), calls.enter(ci({ maxCalls: 1 }))];
  const full = calls.enter(DEFAULT_CALLER);
  strictEqual("kind" in full && full.kind, "BUSY");
  for (let time = 0; time < 2; time++) if (!("kind" in first)) first[Symbol.dispose]();
  const next = [calls.enter(DEFAULT_CALLER), calls.enter(DEFAULT_CALLER)];
  deepStrictEqual(next.map((entered) => "kind" in entered), [false, true]);
});

Deno.test("AllowedTools.needApproval() takes names and patterns of the caller, and those of the server", () => {
  const allowed = new AllowedTools(new ToolRegistry(), ["sql-*"]);
  const tools = ["ssh-exec", "ssh", "write-file", "write-file2", "sql-query", "read-file"];
  const needing = (caller: Caller) => tools.filter((tool) => allowed.needApproval(tool, caller));
  const asked = ci({ ask: ["ssh-*", "write-file"] });
  deepStrictEqual(needing(asked), ["ssh-exec", "write-file", "sql-query"]);
  deepStrictEqual(needing(DEFAULT_CALLER), ["sql-query"]);
});
