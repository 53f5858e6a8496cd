import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { readLines } from "./read_lines.ts";

/** The lines of a text that comes in chunks of a length. */
async function linesOf(text: string, size: number, maxBytes = Infinity, onTooLong = () => {}) {
  const bytes = new TextEncoder().encode(text);
  const chunks = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  const lines = await Array.fromAsync(readLines(chunks, { maxBytes, onTooLong }));
  return lines.map(String);
}

Deno.test("readLines() yields the same lines wherever the chunks are cut", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "€", "\n", "\r") });
  await fc.assert(fc.asyncProperty(text, fc.integer({ min: 1, max: 8 }), async (whole, size) => {
    const lines = whole.split("\n").slice(0, -1).map((line) => `${line}\n`);
    deepStrictEqual(await linesOf(whole, size), lines);
  }));
});

Deno.test("readLines() skips a line that is too long, and says so once", async () => {
  for (const size of [1, 3, 100]) {
    let count = 0;
    const lines = await linesOf("abc\nabcdefgh\n\nx\n", size, 3, () => count++);
    deepStrictEqual(lines, ["abc\n", "\n", "x\n"]);
    strictEqual(count, 1);
  }
});
