import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { sampleMisfits } from "./misfit_sample.ts";
import { type Shape, toReadySchema } from "./schema.ts";

const MANY = 500_000;

function invalid(shape: Shape, value: unknown) {
  const verdict = toReadySchema(shape, "input").validate(value);
  if (verdict instanceof Promise || verdict.ok) throw new TypeError("Cannot be valid");
  return verdict;
}

Deno.test("sampleMisfits() counts every misfit and keeps the first ones", () => {
  const schema = { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } };
  const { misfits, value } = sampleMisfits(schema, ["a", null, 1, 2, "b", 3, "c"], 2);
  deepStrictEqual([misfits, value], [3, ["a", null, 1, 2, "b", 3]]);
});

Deno.test("sampleMisfits() looks into objects, maps and patterns, and counts unknown keys", () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer" }, map: { additionalProperties: { pattern: "^a" } } },
    additionalProperties: false,
  };
  const value = JSON.parse('{"n":1.5,"map":{"x":"b","y":"a"},"no":1,"__proto__":2}');
  const { misfits, value: sample } = sampleMisfits(schema, value, 9);
  deepStrictEqual([misfits, JSON.stringify(sample)], [4, JSON.stringify(value)]);
});

Deno.test("a flood of wrong elements is answered with 100 issues and their number", () => {
  const shapes: [string, Shape, unknown][] = [
    ["wrong types", { list: z.array(z.strictObject({ x: z.string() })) }, 1],
    ["no option of a union", { list: z.array(z.union([z.string(), z.strictObject({})])) }, 1],
    ["a text that does not match the pattern", { list: z.array(z.string().regex(/^a/)) }, "b"],
  ];
  for (const [name, shape, element] of shapes) {
    const verdict = invalid(shape, { list: Array(MANY).fill(element) });
    deepStrictEqual([verdict.issues.length, verdict.more], [100, MANY - 100], name);
    deepStrictEqual(verdict.issues[99]?.path, ["list", 99], name);
  }
});

Deno.test("a list that is too long has one issue, whatever it contains", () => {
  const verdict = invalid({ list: z.array(z.string()).max(3) }, { list: Array(MANY).fill(1) });
  deepStrictEqual(verdict.issues.map(({ path }) => path), [["list"]]);
});

Deno.test("a flood of unknown keys, and long keys, are answered in a few characters", () => {
  const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key-${at}`, 1]));
  const unknown = invalid({ list: z.string().optional() }, keys);
  strictEqual(unknown.issues[0]?.message.includes('"key-0"'), true);
  strictEqual(unknown.more, 49_900);
  const shape = { map: z.record(z.string(), z.string()) };
  const long = invalid(shape, { map: { ["k".repeat(1e6)]: 1 } });
  for (const verdict of [unknown, long]) {
    strictEqual(JSON.stringify(verdict).length < 1_500, true);
  }
});

Deno.test("a schema that accepts more than its JSON Schema says is not overruled", async () => {
  const schema = toReadySchema({ list: z.array(z.coerce.number()) }, "input");
  const verdict = await schema.validate({ list: Array(1_000).fill("7") });
  deepStrictEqual(verdict, { ok: true, value: { list: Array(1_000).fill(7) } });
});

Deno.test("a value that recursion could not reach is answered with one issue", () => {
  const nested = JSON.parse("[".repeat(1_000_000) + "]".repeat(1_000_000));
  const { issues } = invalid({ any: z.unknown() }, { any: nested });
  strictEqual(issues[0]?.message, "Too deep: expected at most 128 levels of lists and objects");
});
