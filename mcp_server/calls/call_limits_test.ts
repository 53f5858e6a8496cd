import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { type Caller, DEFAULT_CALLER, type Rights } from "../access/caller.ts";
import { defaultLimits } from "../shared/limits.ts";
import { buildResponse } from "../tool/result.ts";
import type { Shape } from "../tool/schema.ts";
import { StagedRegistrar } from "../tool/registry.ts";
import { limitsOf, toJobLimits, validateForJob } from "./call_limits.ts";

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

function ci(rights: Partial<Rights> = {}): Caller {
  const none = { tools: [], hosts: [], databases: {}, paths: [], admin: false };
  return { name: "ci", rights: { ...none, ...rights } };
}
