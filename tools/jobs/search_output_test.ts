import { deepStrictEqual, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { LineSearch, LineSplitter, type OutputLine } from "./search_output.ts";

/** Works for longer than a search may without a pause. */
function work(): boolean {
  const end = performance.now() + 25;
  while (performance.now() < end);
  return true;
}

Deno.test("LineSearch lets other calls go on between the lines of all searches together", async () => {
  let turns = 0;
  let timer = setTimeout(function turn() {
    turns++;
    timer = setTimeout(turn);
  });
  const seen: number[] = [];
  const isMatch = () => {
    seen.push(turns);
    return work();
  };
  const { signal } = new AbortController();
  const searches = [1, 2, 3, 4].map(async () => {
    const search = new LineSearch({ isMatch, limit: 100, maxText: 100, signal });
    const lines: OutputLine[] = [0, 2].map((offset) => ({ offset, text: "a", end: offset + 2 }));
    deepStrictEqual(await search.search(lines), undefined);
    return search.matches.length;
  });
  deepStrictEqual(await Promise.all(searches), [2, 2, 2, 2]);
  clearTimeout(timer);
  deepStrictEqual(new Set(seen).size, seen.length);
});

Deno.test("LineSearch ends with the reason of its signal while others have their turn", async () => {
  const controller = new AbortController();
  const line = { offset: 0, text: "a", end: 2 };
  const options = { limit: 100, maxText: 100 };
  const first = new LineSearch({ ...options, isMatch: work, signal: new AbortController().signal });
  const second = new LineSearch({ ...options, isMatch: work, signal: controller.signal });
  const both = Promise.allSettled([first.search([line]), second.search([line])]);
  controller.abort(new Error("stopped"));
  const [found, ended] = await both;
  deepStrictEqual(found.status, "fulfilled");
  ok(ended.status === "rejected" && ended.reason.message === "stopped");
});

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
