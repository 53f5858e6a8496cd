import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { createApp, DEFAULT_CALLER, parseConfig, type ToolDefinition } from "../mcp_server/mod.ts";
import { isJsonObject, type JsonObject } from "../mcp_server/shared/json.ts";
import { registerTool } from "../mcp_server/testing/call_tool.ts";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import type { ToolModule } from "../mcp_server/toolkit.ts";
import { FILE_MODE, parseFileMode } from "../mcp_server/toolkit/files/file_attributes.ts";
import { jsonArbitrary } from "../mcp_server/testing/json_arbitrary.ts";
import registerReadFile from "./read-file.ts";

const app = await createApp(parseConfig(["--log-level", "error"], {}, 2));
const definitions = await app.service.list(DEFAULT_CALLER);

async function load(name: string) {
  const { default: register }: { default: ToolModule } = await import(`./${name}.ts`);
  return await registerTool(register, name);
}

for (const { name, inputSchema } of definitions) {
  Deno.test(`${name} accepts whatever its JSON Schema accepts`, async () => {
    const tool = await load(name);
    const property = fc.asyncProperty(jsonArbitrary(inputSchema), async (args) => {
      const verdict = await tool.validate(JSON.parse(JSON.stringify(args)));
      deepStrictEqual(verdict.ok ? [] : verdict.issues, []);
    });
    await fc.assert(property, { numRuns: 200 });
  });
}

Deno.test("sql-query accepts lists up to the limits of its JSON Schema, and no longer ones", async () => {
  const tool = await load("sql-query");
  const batch = (queries: number) => ({ queries: Array(queries).fill("SELECT 1") });
  const cases: [object[], boolean][] = [
    [[], false],
    [Array(32).fill(batch(100)), true],
    [Array(33).fill(batch(1)), false],
    [[batch(0)], false],
    [[batch(101)], false],
  ];
  for (const [batches, ok] of cases) {
    strictEqual((await tool.validate({ batches })).ok, ok, JSON.stringify(batches).slice(0, 80));
  }
});

Deno.test("read-file returns no content from an offset or a line beyond any file", async () => {
  const tool = realTool(registerReadFile, "read-file");
  const path = import.meta.filename;
  for (const offset of [Number.MAX_SAFE_INTEGER, 1e300]) {
    const { size } = await Deno.stat(path!);
    deepStrictEqual(await tool.output({ path, offset }), { content: "", size });
    deepStrictEqual(await tool.output({ path, line: offset }), { content: "", size });
  }
});

Deno.test("parseFileMode() understands every mode that FILE_MODE matches", () => {
  fc.assert(fc.property(fc.stringMatching(FILE_MODE), (mode) => {
    parseFileMode(mode)(0o644, 0o022);
  }));
});

/** A construct for which a provider rejects a whole request, even if only one tool has it. */
interface Rule {
  readonly rule: string;
  /** Whether a schema breaks the rule; `top` is the whole schema of the tool's arguments. */
  readonly breaks: (schema: JsonObject, top: boolean) => boolean;
}

const OBJECT_AT_TOP: Rule = {
  rule: "the top level is an object with properties, and no combination of schemas",
  breaks: ({ type, properties, ...rest }, top) =>
    top && (type !== "object" || !isJsonObject(properties) ||
      ["anyOf", "oneOf", "allOf", "not", "enum", "const"].some((key) => key in rest)),
};

const TYPED_ITEMS: Rule = {
  rule: "the items of an array have a type",
  breaks: ({ type, items }) =>
    type === "array" && !(isJsonObject(items) && ("type" in items || "anyOf" in items)),
};

/** Each rule comes from the provider's documentation or from its error messages. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  // https://platform.openai.com/docs/guides/structured-outputs#supported-schemas, and the errors
  // "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top
  // level", "object schema missing properties", "array schema missing items".
  OpenAI: [OBJECT_AT_TOP, TYPED_ITEMS],
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use, and the errors
  // "input_schema does not support oneOf, allOf, or anyOf at the top level", "Property keys should
  // match pattern '^[a-zA-Z0-9_.-]{1,64}$'", "JSON schema is invalid. It must match draft 2020-12".
  Anthropic: [OBJECT_AT_TOP, {
    rule: "keys are 1 to 64 letters, digits, _, . and -",
    breaks: ({ properties }) =>
      isJsonObject(properties) &&
      Object.keys(properties).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)),
  }],
  // https://ai.google.dev/api/caching#Schema: a subset of OpenAPI 3.0 in which any other field is
  // `Unknown name "...": Cannot find field`. Clients remove `additionalProperties` and `default`.
  Gemini: [OBJECT_AT_TOP, TYPED_ITEMS, {
    rule: "a type is one word",
    breaks: ({ type }) => type !== undefined && typeof type !== "string",
  }, {
    rule: "there are only the fields of Schema",
    breaks: (schema) => Object.keys(schema).some((key) => !GEMINI_FIELDS.has(key)),
  }, {
    rule: "values of an enum are strings",
    breaks: ({ enum: values }) =>
      Array.isArray(values) && !values.every((value) => typeof value === "string"),
  }, {
    rule: "a required key is among the properties",
    breaks: ({ properties, required }) =>
      Array.isArray(required) &&
      !required.every((key) => isJsonObject(properties) && String(key) in properties),
  }],
};

const GEMINI_FIELDS = new Set([
  ..."type format title description nullable enum maxItems minItems properties required".split(" "),
  ..."minProperties maxProperties minLength maxLength pattern example anyOf".split(" "),
  ..."propertyOrdering items minimum maximum".split(" "),
  ..."additionalProperties default".split(" "),
]);

function schemasIn(schema: JsonObject): JsonObject[] {
  const { properties, items, anyOf, additionalProperties } = schema;
  const inner = [
    ...Object.values(isJsonObject(properties) ? properties : {}),
    ...(Array.isArray(anyOf) ? anyOf : []),
    items,
    additionalProperties,
  ];
  return [schema, ...inner.filter(isJsonObject).flatMap(schemasIn)];
}

function faults({ name, inputSchema }: ToolDefinition, rules: readonly Rule[]): string[] {
  return schemasIn(inputSchema).flatMap((schema) =>
    rules.filter(({ breaks }) => breaks(schema, schema === inputSchema))
      .map(({ rule }) => `${name}: ${rule}: ${JSON.stringify(schema)}`)
  );
}

for (const [provider, rules] of Object.entries(RULES)) {
  Deno.test(`${provider} accepts the JSON Schemas of all tools`, () => {
    deepStrictEqual(definitions.flatMap((definition) => faults(definition, rules)), []);
  });
}

Deno.test("every value in a tool's output schema has a type", () => {
  for (const { name, outputSchema = {} } of definitions) {
    for (const schema of schemasIn(outputSchema)) {
      strictEqual(Object.keys(schema).length > 0, true, name);
      strictEqual(typeof (schema.type ?? schema.anyOf), schema.type ? "string" : "object", name);
    }
  }
});
