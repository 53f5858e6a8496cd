import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { LineReader } from "./read_lines.ts";

const encoder = new TextEncoder();

/** The lines of a text that comes in chunks of a length. */
function linesOf(text: string, size: number, reader = new LineReader()): string[] {
  const bytes = encoder.encode(text);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const line of reader.read(bytes.subarray(at, at + size))) lines.push(String(line));
  }
  return lines;
}

Deno.test("LineReader returns the same lines wherever the chunks are cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "€", "\n", "\r") });
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 8 }), (whole, size) => {
    deepStrictEqual(linesOf(whole, size), ended(whole));
  }));
});

function ended(text: string): string[] {
  return text.split("\n").slice(0, -1).map((line) => `${line}\n`);
}

Deno.test("LineReader skips a line that is too long, and says so once", () => {
  for (const size of [1, 3, 100]) {
    let count = 0;
    const reader = new LineReader({ maxBytes: 3, onTooLong: () => count++ });
    deepStrictEqual(linesOf("abc\nabcdefgh\n\nx\n", size, reader), ["abc\n", "\n", "x\n"]);
    strictEqual(count, 1);
  }
});
