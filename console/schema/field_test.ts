import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Field, fieldOf, resolve, type Schema } from "./field.ts";

const CASES: readonly [name: string, schema: Schema, field: Field][] = [
  ["a string", { type: "string" }, { kind: "text", secret: false }],
  ["a secret", { type: "string", format: "password" }, { kind: "text", secret: true }],
  ["a whole number with bounds", { type: "integer", minimum: 1, maximum: 9 }, {
    kind: "number",
    integer: true,
    min: 1,
    max: 9,
  }],
  ["a boolean", { type: "boolean" }, { kind: "boolean" }],
  ["an enum", { type: "string", enum: ["a", "b"] }, { kind: "choice", values: ["a", "b"] }],
  ["a constant", { const: 7 }, { kind: "constant", value: 7 }],
  ["null", { type: "null" }, { kind: "constant", value: null }],
  ["an array", { type: "array", items: { type: "string" }, minItems: 1 }, {
    kind: "list",
    item: { type: "string" },
    min: 1,
    max: Infinity,
  }],
  ["an object", {
    type: "object",
    properties: { a: { type: "string" }, b: {} },
    required: ["a"],
  }, {
    kind: "object",
    properties: [
      { name: "a", schema: { type: "string" }, required: true },
      { name: "b", schema: {}, required: false },
    ],
  }],
  ["an object without properties", { type: "object", additionalProperties: false }, {
    kind: "object",
    properties: [],
  }],
  ["a map", { type: "object", additionalProperties: { type: "string" } }, {
    kind: "map",
    value: { type: "string" },
  }],
  ["a free object", { type: "object", additionalProperties: {} }, { kind: "json" }],
  ["anything", {}, { kind: "json" }],
  ["alternatives", { anyOf: [{ type: "string" }, { type: "null" }] }, {
    kind: "variants",
    variants: [{ type: "string" }, { type: "null" }],
  }],
  ["several types", { type: ["string", "integer"], minimum: 2 }, {
    kind: "variants",
    variants: [{ type: "string", minimum: 2 }, { type: "integer", minimum: 2 }],
  }],
];

for (const [name, schema, field] of CASES) {
  Deno.test(`fieldOf() reads the schema of ${name}`, () => {
    deepStrictEqual(fieldOf(schema), field);
  });
}

Deno.test("resolve() follows references, and joins what allOf requires", () => {
  const root: Schema = {
    $defs: {
      "a/b": { type: "string", description: "general" },
      base: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
      loop: { $ref: "#/$defs/loop" },
    },
  };
  deepStrictEqual(resolve({ $ref: "#/$defs/a~1b", description: "own" }, root), {
    type: "string",
    description: "own",
  });
  deepStrictEqual(
    resolve({ allOf: [{ $ref: "#/$defs/base" }, { properties: { name: {} } }] }, root),
    { type: "object", properties: { id: { type: "integer" }, name: {} }, required: ["id"] },
  );
  strictEqual(fieldOf(resolve({ $ref: "https://example.org/schema" }, root)).kind, "json");
  strictEqual(fieldOf(resolve({ $ref: "#/$defs/loop" }, root)).kind, "json");
  strictEqual(fieldOf(resolve({ $ref: "#/__proto__/toString" }, root)).kind, "json");
});
