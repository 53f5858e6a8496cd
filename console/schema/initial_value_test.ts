import type { JsonValue } from "@trestle/mcp-server";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Schema } from "./field.ts";
import { initialArguments, initialItem, variantLabel, variantOf } from "./initial_value.ts";

const COMMAND: Schema = {
  type: "object",
  properties: { command: { type: "string" }, env: { type: "object" } },
  required: ["command"],
};

Deno.test("initialArguments() has what is required and has only one beginning", () => {
  const properties: Schema = {
    commands: { type: "array", minItems: 2, items: COMMAND },
    text: { type: "string" },
    flag: { type: "boolean" },
    kind: { const: "x" },
    optional: { type: "array", minItems: 1, items: COMMAND },
  };
  const required = ["commands", "text", "flag", "kind"];
  deepStrictEqual(initialArguments({ type: "object", properties, required }), {
    commands: [{}, {}],
    flag: false,
    kind: "x",
  });
  deepStrictEqual(initialArguments({}), {});
});

Deno.test("initialArguments() ends with a schema that contains itself", () => {
  const node: Schema = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
  strictEqual(JSON.stringify(initialArguments(node)).match(/next/g)?.length, 8);
});

const ITEMS: readonly [schema: Schema, value: JsonValue][] = [
  [{ type: "string" }, ""],
  [{ type: "integer", minimum: 3 }, 3],
  [{ enum: ["a", "b"] }, "a"],
  [{ oneOf: [{ type: "boolean" }, { type: "string" }] }, false],
  [{}, null],
];

Deno.test("initialItem() has a value for every schema", () => {
  for (const [schema, value] of ITEMS) deepStrictEqual(initialItem(schema, schema), value);
});

Deno.test("variantOf() finds the variant of a value by its type and constants", () => {
  const shape = (kind: string): Schema => ({
    type: "object",
    properties: { kind: { const: kind }, size: { type: "number" } },
    required: ["kind"],
  });
  const variants = [{ type: "string" }, { type: "integer" }, shape("circle"), shape("square")];
  const found = ["a", 1, { kind: "square" }, { kind: "none" }, true, undefined].map((value) =>
    variantOf(value, variants, {})
  );
  deepStrictEqual(found, [0, 1, 3, -1, -1, -1]);
  const labels = [...variants, { title: "Nothing", type: "null" }, {}];
  deepStrictEqual(labels.map((variant) => variantLabel(variant, {})), [
    "string",
    "integer",
    '"circle"',
    '"square"',
    "Nothing",
    "JSON",
  ]);
});
