import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../domain/json.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import { toOpenApi } from "./openapi.ts";

const TREE: JsonObject = {
  type: "object",
  properties: { root: { $ref: "#/$defs/node" }, all: { type: "array", items: { $ref: "#" } } },
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
};

const TOOLS: readonly ToolDefinition[] = [
  { name: "tree", inputSchema: TREE },
  { name: "strict", inputSchema: { type: "object", properties: { a: {} }, required: ["a"] } },
  { name: "own", inputSchema: { $id: "https://example.org/own", ...TREE } },
];

/** The part of a document that a JSON pointer leads to. */
function at(document: unknown, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce<unknown>((part, key) => {
    return isJsonObject(part) ? part[key.replaceAll("~1", "/")] : undefined;
  }, document);
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isJsonObject(value) || "$id" in value) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "$ref" ? [String(part)] : references(part)
  );
}

const document: unknown = JSON.parse(JSON.stringify(toOpenApi(TOOLS, "1.2.3")));

Deno.test("toOpenApi() names 401 and 403 for every operation, and an address", () => {
  const paths = Object.entries(Object(at(document, "/paths")));
  const operations = paths.flatMap(([path, item]) =>
    Object.keys(Object(item)).filter((key) => /^(get|post|delete)$/.test(key))
      .map((method) => `/paths/${path.replaceAll("/", "~1")}/${method}`)
  );
  strictEqual(operations.length, 15);
  for (const operation of operations) {
    const responses = at(document, `${operation}/responses`);
    strictEqual(isJsonObject(responses) && "401" in responses && "403" in responses, true);
  }
  deepStrictEqual(isJsonObject(document) && document.servers, [
    { url: "/", description: "The server that this document comes from" },
  ]);
});

Deno.test("toOpenApi() requires args if a tool requires an argument", () => {
  const calls = at(
    document,
    "/paths/~1api/post/requestBody/content/application~1json/schema/oneOf",
  );
  deepStrictEqual(
    Array.isArray(calls) && calls.map((call) => isJsonObject(call) && call.required),
    [["tool"], ["tool", "args"], ["tool"]],
  );
});

Deno.test("toOpenApi() has no reference that leads nowhere, whatever the tools refer to", () => {
  const found = references(document);
  strictEqual(found.includes("#/components/schemas/tree-args/$defs/node"), true);
  strictEqual(found.includes("#/components/schemas/tree-args"), true);
  for (const reference of found) {
    strictEqual(isJsonObject(at(document, reference.slice(1))), true, reference);
  }
});

Deno.test("toOpenApi() leaves a schema with its own id unchanged", () => {
  deepStrictEqual(at(document, "/components/schemas/own-args"), TOOLS[2]?.inputSchema);
});
