import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { CODES } from "../http/problem.ts";
import { JOB_STATES, MOST_RETRIES } from "../tool/job.ts";
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

/** Each operation of the document, by its pointer. */
function operations(): string[] {
  const paths = Object.entries(Object(at(document, "/paths")));
  return paths.flatMap(([path, item]) =>
    Object.keys(Object(item)).filter((key) => /^(get|post|delete)$/.test(key))
      .map((method) => `/paths/${path.replaceAll("/", "~1")}/${method}`)
  );
}

/** The problems of an operation as `<status> <code>`, from the examples. */
function problemsOf(operation: string): string[] {
  const responses = Object.entries(Object(at(document, `${operation}/responses`)));
  return responses.flatMap(([status, response]) => {
    const examples = Object.entries(
      Object(at(response, "/content/application~1problem+json/examples")),
    );
    for (const [code, example] of examples) {
      const { status: its, code: named, title } = Object(at(example, "/value"));
      deepStrictEqual([its, named, typeof title], [Number(status), code, "string"]);
      strictEqual(String(at(response, "/description")).includes(`\`${code}\`: `), true, code);
    }
    return examples.map(([code]) => `${status} ${code}`);
  });
}

Deno.test("toOpenApi() names what any request may get for every operation, and an address", () => {
  strictEqual(operations().length, 24);
  const any = ["400", "401", "403", "500", "503"];
  for (const operation of operations()) {
    const statuses = new Set(problemsOf(operation).map((problem) => problem.slice(0, 3)));
    deepStrictEqual(any.filter((status) => !statuses.has(status)), [], operation);
  }
  deepStrictEqual(isJsonObject(document) && document.servers, [
    { url: "/", description: "The server that this document comes from" },
  ]);
});

/** Codes of requests that no described operation answers. */
const ELSEWHERE = ["NOT_FOUND", "METHOD_NOT_ALLOWED", "TOOLS_UNREADABLE"];

Deno.test("toOpenApi() describes every code of the HTTP API, with an example", () => {
  const described = new Set(operations().flatMap(problemsOf).map((problem) => problem.slice(4)));
  deepStrictEqual(
    Object.keys(CODES).filter((code) => !described.has(code) && !ELSEWHERE.includes(code)),
    [],
  );
  for (const operation of operations()) {
    strictEqual(at(document, `${operation}/x-codes`), undefined, operation);
  }
});

Deno.test("toOpenApi() has the states of jobs and the bound of retries that the server has", () => {
  deepStrictEqual(at(document, "/components/schemas/JobState/enum"), JOB_STATES);
  const calls = at(
    document,
    "/paths/~1api/post/requestBody/content/application~1json/schema/oneOf",
  );
  for (const call of Array.isArray(calls) ? calls : []) {
    strictEqual(at(call, "/properties/retries/maximum"), MOST_RETRIES);
  }
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
