import type { JsonValue } from "@trestle/mcp-server";
import { deepStrictEqual } from "node:assert/strict";
import { toResultParts } from "./result_parts.ts";

const show = (result: JsonValue, hasOutput = false) => {
  const { parts, rest } = toResultParts(result, { hasOutput });
  return [parts, rest];
};

Deno.test("toResultParts() shows output unless it was shown, and no ending twice", () => {
  const result = { results: [{ stdout: "hi\n", stderr: "", exitCode: 0, timedOut: false }] };
  deepStrictEqual(show(result, true), [[], undefined]);
  deepStrictEqual(show(result), [[{ kind: "text", title: "stdout", text: "hi\n" }], undefined]);
});

Deno.test("toResultParts() finds the rows of queries, as objects and as arrays", () => {
  const one = { query: "SELECT 1", success: true, rows: [{ a: 1 }, { b: null }], rowCount: 2 };
  const two = { query: "SELECT 2", columns: ["a", "a"], rows: [[2, 3]], rowCount: 1 };
  deepStrictEqual(show({ results: [{ database: "main", results: [one, two] }] }), [
    [
      {
        kind: "rows",
        title: "SELECT 1",
        table: { columns: ["a", "b"], rows: [[1, undefined], [undefined, null]] },
      },
      { kind: "rows", title: "SELECT 2", table: { columns: ["a", "a"], rows: [[2, 3]] } },
    ],
    {
      results: [{
        database: "main",
        results: [
          { query: "SELECT 1", success: true, rowCount: 2 },
          { query: "SELECT 2", rowCount: 1 },
        ],
      }],
    },
  ]);
});

Deno.test("toResultParts() finds differences, texts, images and lists, and leaves the rest", () => {
  const cases: readonly [JsonValue, unknown, unknown][] = [
    [{ path: "/a", diff: "-a\n+b" }, [{ kind: "diff", title: "diff", text: "-a\n+b" }], {
      path: "/a",
    }],
    [{ content: "a\nb\n", size: 4 }, [{ kind: "text", title: "Result", text: "a\nb\n" }], {
      size: 4,
    }],
    [
      { content: [{ type: "image", mimeType: "image/png", data: "AA==" }] },
      [{ kind: "image", title: "Result", mimeType: "image/png", data: "AA==" }],
      undefined,
    ],
    [
      { entries: [{ path: "a", size: 1 }] },
      [{ kind: "rows", title: "entries", table: { columns: ["path", "size"], rows: [["a", 1]] } }],
      undefined,
    ],
    [{ args: { list: [1, null], text: "short" } }, [], {
      args: { list: [1, null], text: "short" },
    }],
    [{ list: [] }, [], { list: [] }],
  ];
  for (const [result, parts, rest] of cases) deepStrictEqual(show(result), [parts, rest]);
});

Deno.test("toResultParts() draws no image that may contain a program", () => {
  const image = { type: "image", mimeType: "image/svg+xml", data: "AA==" };
  deepStrictEqual(show(image), [[], image]);
});
