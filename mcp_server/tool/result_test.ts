import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildResponse, outputOf, textOf } from "./result.ts";

Deno.test("buildResponse() carries the same data for programs and for readers of text", () => {
  const value = { lines: 3, names: ["a", "ä"], none: null };
  const result = buildResponse(value);
  deepStrictEqual(result.structuredContent, value);
  deepStrictEqual(JSON.parse(textOf(result)), value);
});

Deno.test("textOf() joins the texts of a result and leaves other content out", () => {
  const image = { type: "image", data: "", mimeType: "image/png" } as const;
  const content = [
    { type: "text", text: "a" } as const,
    image,
    { type: "text", text: "b" } as const,
  ];
  strictEqual(textOf({ content }), "a\nb");
});

Deno.test("outputOf() is the data with its images, or the content where there is no data", () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
  const text = { type: "text", text: "{}" } as const;
  const cases = [
    [{ content: [text], structuredContent: { size: 1 } }, { size: 1 }],
    [{ content: [image], structuredContent: { size: 1 } }, { size: 1, content: [image] }],
    [{ content: [image], structuredContent: { content: "own" } }, { content: "own" }],
    [{ content: [text] }, { content: [text] }],
  ] as const;
  for (const [result, output] of cases) {
    deepStrictEqual(outputOf({ ...result, content: [...result.content] }), output);
  }
});
