import { deepStrictEqual, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { toOutputRange } from "../tool/job.ts";
import { selectBytes } from "./job_output.ts";

const SHORT = toOutputRange(100, 160);
/** The first 10 bytes, and those from 850. */
const LONG = toOutputRange(1_000, 160);
const EMPTY = toOutputRange(0, 160);

/** What is selected: bytes, all parts, or the next offset. */
function select(header: string | null, range = SHORT): unknown {
  const selected = selectBytes(header, range);
  if (selected.kind === "whole") return selected.parts.map(({ from, to }) => [from, to]);
  return selected.kind === "part" ? [selected.bytes.from, selected.bytes.to] : selected.firstOffset;
}

const CASES: readonly [header: string | null, range: typeof SHORT, selected: unknown][] = [
  [null, SHORT, [[0, 100]]],
  [null, LONG, [[0, 10], [850, 1_000]]],
  [null, EMPTY, [[0, 0]]],
  ["bytes=0-0", SHORT, [0, 1]],
  ["bytes=10-19", SHORT, [10, 20]],
  ["Bytes = 10-19", SHORT, [10, 20]],
  ["bytes=10-", SHORT, [10, 100]],
  ["bytes=99-99999999999999999999", SHORT, [99, 100]],
  ["bytes=-1", SHORT, [99, 100]],
  ["bytes=-1000", SHORT, [0, 100]],
  ["bytes=100-", SHORT, 100],
  ["bytes=99999999999999999999-", SHORT, 100],
  ["bytes=-0", SHORT, 100],
  ["bytes=0-", EMPTY, 0],
  ["bytes=-5", EMPTY, 0],
  ["bytes=0-", LONG, [0, 10]],
  ["bytes=9-900", LONG, [9, 10]],
  ["bytes=10-", LONG, 850],
  ["bytes=849-900", LONG, 850],
  ["bytes=850-", LONG, [850, 1_000]],
  ["bytes=-1000", LONG, [850, 1_000]],
  ["bytes=1000-", LONG, 1_000],
  ["bytes=5-4", SHORT, 0],
  ["bytes=", SHORT, 0],
  ["bytes=-", SHORT, 0],
  ["bytes=a-b", SHORT, 0],
  ["bytes=1.5-2", SHORT, 0],
  ["bytes=--1", SHORT, 0],
  ["bytes=0-1,3-4", SHORT, [[0, 100]]],
  ["lines=0-1", SHORT, [[0, 100]]],
  ["5", SHORT, [[0, 100]]],
];

for (const [header, range, selected] of CASES) {
  Deno.test(`selectBytes() reads ${header} of ${range.end} bytes`, () => {
    deepStrictEqual(select(header, range), selected);
  });
}

Deno.test("selectBytes() selects what is kept, and an offset from which it can go on", () => {
  const bounds = fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 1_000 }), fc.nat(3_500));
  fc.assert(fc.property(bounds, fc.option(fc.nat(3_500)), ([length, most, first], last) => {
    const range = toOutputRange(length, most);
    const selected = selectBytes(`bytes=${first}-${last ?? ""}`, range);
    const { gap } = range;
    if (selected.kind === "part") {
      const { from, to } = selected.bytes;
      ok(from === first && from < to && to <= length && to <= (last ?? Infinity) + 1);
      ok(gap === undefined || to <= gap.from || from >= gap.to);
    } else if (selected.kind === "none" && first <= (last ?? Infinity)) {
      const next = selectBytes(`bytes=${selected.firstOffset}-`, range);
      ok(next.kind === "part" || selected.firstOffset === length);
    }
  }));
});
