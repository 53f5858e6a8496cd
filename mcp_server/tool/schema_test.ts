import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import * as z from "zod";
import type { JsonObject } from "../shared/json.ts";
import { isShape, toReadySchema } from "./schema.ts";

Deno.test("toReadySchema() of a shape rejects unknown keys and names them", async () => {
  const schema = toReadySchema({ path: z.string() }, "input");
  strictEqual(schema.json.additionalProperties, false);
  const verdict = await schema.validate({ path: "/a", pth: "/b" });
  strictEqual(verdict.ok, false);
  strictEqual(!verdict.ok && verdict.issues[0]?.message.includes('"pth"'), true);
});

Deno.test("toReadySchema() reports where a value is wrong", async () => {
  const schema = toReadySchema({ list: z.array(z.object({ n: z.int() })) }, "input");
  const verdict = await schema.validate({ list: [{ n: 1 }, { n: "x" }] });
  deepStrictEqual(!verdict.ok && verdict.issues[0]?.path, ["list", 1, "n"]);
});

Deno.test("toReadySchema() fills in defaults, and shows callers that they are optional", async () => {
  const schema = toReadySchema({ n: z.int().default(7) }, "input");
  deepStrictEqual(await schema.validate({}), { ok: true, value: { n: 7 } });
  strictEqual(schema.json.required, undefined);
});

Deno.test("toReadySchema() takes `__proto__` for an unknown key, not for a prototype", async () => {
  const schema = toReadySchema({ path: z.string() }, "input");
  const verdict = await schema.validate(JSON.parse('{"path":"/a","__proto__":{"path":"/b"}}'));
  strictEqual(verdict.ok, false);
});

Deno.test("toReadySchema() rejects what has no JSON Schema, and says what to do", () => {
  throws(() => toReadySchema({ at: z.date() }, "input"), /Date/);
  const zod3 = { _def: { typeName: "ZodString" }, parse: () => "" };
  throws(
    () => toReadySchema({ name: zod3 as unknown as z.ZodType }, "input"),
    /"name": it is made by zod 3, use zod 4\.2 or newer/,
  );
  const validate = (value: unknown) => ({ value });
  throws(
    () => toReadySchema({ "~standard": { version: 1, vendor: "other", validate } }, "input"),
    /"other": it provides no JSON Schema/,
  );
});

Deno.test("isShape() distinguishes arguments from annotations", () => {
  strictEqual(isShape({ a: z.string() }), true);
  strictEqual(isShape({}), true);
  strictEqual(isShape({ readOnlyHint: true }), false);
});

function property(schema: z.ZodType, view: "input" | "output" = "input") {
  return (toReadySchema({ p: schema }, view).json.properties as JsonObject).p;
}

Deno.test("toPortableSchema() separates several types, each with its own checks", () => {
  const union = z.union([z.string(), z.number()]).optional().describe("either");
  deepStrictEqual(property(union), {
    anyOf: [{ type: "string" }, { type: "number" }],
    description: "either",
  });
  deepStrictEqual(property(z.string().min(1).nullable()), {
    anyOf: [{ type: "string", minLength: 1 }, { type: "null" }],
  });
});

Deno.test("toPortableSchema() leaves out what is implied, at every depth", () => {
  const map = z.array(z.record(z.string().regex(/^a/), z.int()));
  deepStrictEqual(property(map), {
    type: "array",
    items: { type: "object", additionalProperties: { type: "integer" } },
  });
});

Deno.test("toPortableSchema() treats a property that is named like a keyword as a property", () => {
  const names = { propertyNames: z.string(), type: z.boolean(), minimum: z.literal("x") };
  deepStrictEqual(Object.keys((property(z.strictObject(names)) as JsonObject).properties ?? {}), [
    "propertyNames",
    "type",
    "minimum",
  ]);
});

Deno.test("toPortableSchema() leaves outputs open for the keys of later versions", () => {
  deepStrictEqual(property(z.object({ a: z.boolean() }), "output"), {
    type: "object",
    required: ["a"],
    properties: { a: { type: "boolean" } },
  });
  const open = { type: "object", additionalProperties: true };
  deepStrictEqual(property(z.looseObject({}), "output"), open);
  deepStrictEqual(property(z.record(z.string(), z.boolean()), "output"), {
    type: "object",
    additionalProperties: { type: "boolean" },
  });
});

Deno.test("toReadySchema() keeps the JSON Schema of a whole schema as its author wrote it", () => {
  const schema = z.object({ p: z.record(z.string(), z.string()).meta({ $comment: "mine" }) });
  const { properties } = toReadySchema(schema, "input").json as { properties: JsonObject };
  deepStrictEqual((properties.p as JsonObject).propertyNames, { type: "string" });
});
