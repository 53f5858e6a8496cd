import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { defaultLimits } from "../shared/limits.ts";
import { buildResponse } from "../tool/result.ts";
import type { Shape } from "../tool/schema.ts";
import { StagedRegistrar } from "../tool/registry.ts";
import { toJobLimits, validateForJob } from "./job_limits.ts";

const HOUR_MS = 3_600_000;
const LIMITS = toJobLimits(defaultLimits(2));

async function validated(shape: Shape, args: unknown): Promise<unknown> {
  const registrar = new StagedRegistrar("slow");
  registrar.registerTool("slow", { inputSchema: shape }, () => buildResponse({}));
  const [tool] = registrar.tools;
  if (tool === undefined) throw new TypeError("Cannot validate: no tool is registered");
  const validation = await validateForJob(tool, args, LIMITS);
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
  const { timeoutMs, maxTimeoutMs, ...rest } = LIMITS;
  const { timeoutMs: _, maxTimeoutMs: longest, ...others } = defaultLimits(2);
  deepStrictEqual([timeoutMs, maxTimeoutMs], [longest, 24 * HOUR_MS]);
  deepStrictEqual(rest, others);
  strictEqual(rest.maxJobTimeoutMs, 24 * HOUR_MS);
});
