import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { buildResponse, type ToolResult } from "../tool/result.ts";
import { fitResult } from "./fit_result.ts";

const MOST = 10_000;

/** What is left of data, which must fit, be JSON, and be repeated by the text. */
function fitted(data: object, most = MOST): JsonObject {
  const result = fitResult(buildResponse(data), most);
  const { structuredContent, content } = result ?? {};
  const text = JSON.stringify(structuredContent);
  ok(text.length <= most, `${text.length}`);
  deepStrictEqual(content, [{ type: "text", text }]);
  return structuredContent ?? {};
}

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: "row" }));

Deno.test("fitResult() cuts long texts to one length, and no short one", () => {
  const { a, b, path } = fitted({
    a: "a".repeat(9_000),
    b: "b".repeat(20_000),
    path: "p".repeat(4_000),
  });
  match(String(a), /^a{1500,}\n\[\.\.\. \d+ characters left out \.\.\.\]\na{500,}$/);
  match(String(b), /^b{1500,}\n\[\.\.\. \d+ characters left out \.\.\.\]\nb{500,}$/);
  strictEqual(path, "p".repeat(4_000));
});

const LISTS: [string, object, RegExp][] = [
  ["the last entries of a list", { rows: rows(1_000) }, /"leftOut":\{"rows":\d{3}\}/],
  [
    "those of the longest list",
    { job: { results: [{ rows: rows(1_000), names: ["a", "b"] }] } },
    /"names":\["a","b"\].*"leftOut":\{"job\.results\.rows":\d{3}\}/,
  ],
  [
    "as many of each of two lists",
    { a: rows(600), b: rows(600) },
    /"leftOut":\{"a":(\d{3}),"b":\1\}/,
  ],
  [
    "entries of lists of lists, of both",
    { hosts: rows(50).map((row) => ({ row, results: rows(50) })) },
    /"leftOut":\{"hosts":\d\d,"hosts\.results":\d{3}\}/,
  ],
  [
    "no value of a row",
    { rows: rows(100).map(({ id }) => Array.from({ length: 90 }, () => id)) },
    /"leftOut":\{"rows":\d\d\}/,
  ],
];

for (const [what, data, expected] of LISTS) {
  Deno.test(`fitResult() leaves out ${what}`, () => {
    match(JSON.stringify(fitted(data)), expected);
  });
}

Deno.test("fitResult() has no result for data whose keys do not fit", () => {
  const keys = Object.fromEntries(rows(3_000).map(({ id }) => [`key${id}`, id]));
  strictEqual(fitResult(buildResponse(keys), MOST), undefined);
});

Deno.test("fitResult() cuts texts without data, and leaves images as they are", () => {
  const image = { type: "image", data: "A".repeat(50_000), mimeType: "image/png" } as const;
  const text = { type: "text", text: '"'.repeat(30_000) } as const;
  const result: ToolResult = { content: [image, text, { type: "text", text: "short" }] };
  const { content } = fitResult(result, MOST) ?? { content: [] };
  strictEqual(content[0], image);
  deepStrictEqual(content[2], { type: "text", text: "short" });
  const cut = content[1]?.type === "text" ? content[1].text : "";
  match(cut, /^"+\n\[\.\.\. \d+ characters left out \.\.\.\]\n"+$/);
  ok(JSON.stringify(cut).length <= MOST);
});

Deno.test("fitResult() keeps texts that say something else than the data", () => {
  const data = { rows: rows(1_000) };
  const said = { type: "text", text: "There are 1,000 rows" } as const;
  const { content } = fitResult({ content: [said], structuredContent: data }, MOST) ??
    { content: [] };
  deepStrictEqual(content, [said]);
});

const MANY: [string, ToolResult][] = [
  ["texts", { content: texts(5_000) }],
  ["texts beside data", { content: texts(5_000), structuredContent: { rows: [] } }],
];

for (const [what, result] of MANY) {
  Deno.test(`fitResult() leaves out the last of many ${what}, and says how many`, () => {
    const { content } = fitResult(result, MOST) ?? { content: [] };
    ok(content.length > 10);
    deepStrictEqual(content[0], result.content?.[0]);
    const last = content.at(-1);
    const note = `[... ${5_000 - content.length + 1} texts left out ...]`;
    deepStrictEqual(last, { type: "text", text: note });
    const lengths = content.map((block) => block.type === "text" ? block.text.length : 0);
    ok(lengths.reduce((sum, length) => sum + length) <= MOST);
  });
}

function texts(count: number): ToolResult["content"] {
  return Array.from({ length: count }, (_, at) => ({ type: "text", text: `${at} `.repeat(30) }));
}

Deno.test("fitResult() fits any data, or says that it can't", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: "binary", maxDepth: 2 })),
      fc.integer({ min: 1_100, max: 4_000 }),
      (data, most) => {
        const value: unknown = JSON.parse(
          JSON.stringify({ ...data, text: "\u{1f600}".repeat(5_000) }),
        );
        if (!isJsonObject(value)) return;
        const result = fitResult({ content: [], structuredContent: value }, most);
        if (result === undefined) return;
        ok(JSON.stringify(result.structuredContent).length <= most);
        ok(String(result.structuredContent?.text).isWellFormed());
      },
    ),
    { numRuns: 40 },
  );
});
