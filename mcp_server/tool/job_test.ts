import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { isFinal, JOB_STATES, toOutputRange } from "./job.ts";

Deno.test("toOutputRange() keeps everything up to the limit, then the first sixteenth and the latest", () => {
  deepStrictEqual(toOutputRange(0, 160), { start: 0, end: 0 });
  deepStrictEqual(toOutputRange(160, 160), { start: 0, end: 160 });
  deepStrictEqual(toOutputRange(161, 160), { start: 0, end: 161, gap: { from: 10, to: 11 } });
  deepStrictEqual(toOutputRange(1_000, 160), { start: 0, end: 1_000, gap: { from: 10, to: 850 } });
});

Deno.test("toOutputRange() keeps exactly as many bytes as it may", () => {
  fc.assert(fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 5_000 }), (length, most) => {
    const { start, end, gap } = toOutputRange(length, most);
    const kept = end - start - (gap === undefined ? 0 : gap.to - gap.from);
    strictEqual(kept, Math.min(length, most));
  }));
});

Deno.test("isFinal() is false for queued and running jobs only", () => {
  deepStrictEqual(JOB_STATES.filter((state) => !isFinal(state)), ["queued", "running"]);
});
