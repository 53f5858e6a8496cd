import { deepStrictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { LineSplitter } from "./line_splitter.ts";

const encoder = new TextEncoder();

/** The lines of a text that comes in pieces of a length. */
function split(text: string, size: number) {
  const bytes = encoder.encode(text);
  const splitter = new LineSplitter();
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += size) {
    lines.push(...splitter.push({ offset, bytes: bytes.subarray(offset, offset + size) }));
  }
  return [...lines, ...splitter.rest()];
}

Deno.test("LineSplitter returns the same lines wherever the pieces are cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "€", "\n", "\r") });
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 8 }), (whole, size) => {
    const lines = split(whole, size);
    const expected = whole.split("\n");
    if (expected.at(-1) === "") expected.pop();
    deepStrictEqual(
      lines.map((line) => line.text),
      expected.map((line) => line.replace(/\r$/, "")),
    );
    deepStrictEqual(lines.map(({ end }) => end).slice(0, -1), lines.slice(1).map((l) => l.offset));
  }));
});

Deno.test("LineSplitter cuts lines over 4 KiB between characters", () => {
  const lines = split(`${"€".repeat(3_000)}\nb`, 1_000);
  deepStrictEqual(lines.map(({ offset, text }) => [offset, text.length]), [
    [0, 1_365],
    [4_095, 1_365],
    [8_190, 270],
    [9_001, 1],
  ]);
});

Deno.test("LineSplitter ends a line where bytes are missing", () => {
  const splitter = new LineSplitter();
  deepStrictEqual([...splitter.push({ offset: 5, bytes: encoder.encode("ab") })], []);
  deepStrictEqual([...splitter.push({ offset: 20, bytes: encoder.encode("c\nd") })], [
    { offset: 5, text: "ab", end: 7 },
    { offset: 20, text: "c", end: 22 },
  ]);
  deepStrictEqual([...splitter.rest()], [{ offset: 22, text: "d", end: 23 }]);
});
