import { deepStrictEqual } from "node:assert/strict";
import * as z from "zod";
import type { JsonObject } from "../shared/json.ts";
import { toReadySchema } from "./schema.ts";

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
