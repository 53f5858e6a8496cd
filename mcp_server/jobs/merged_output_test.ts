import { deepStrictEqual } from "node:assert/strict";
import { placeBefore } from "./merged_output.ts";

// 10 bytes of stdout, 5 of stderr, 20 of stdout, and then 7 of each without an order.
const SWITCHES = [{ stdout: 10, stderr: 0 }, { stdout: 10, stderr: 5 }, { stdout: 30, stderr: 5 }];
const END = { stdout: 37, stderr: 12 };

Deno.test("placeBefore() goes back in the order in which output was stored", () => {
  const cases = [
    [3, { stdout: 37, stderr: 9 }],
    [7, { stdout: 37, stderr: 5 }],
    [10, { stdout: 34, stderr: 5 }],
    [14, { stdout: 30, stderr: 5 }],
    [34, { stdout: 10, stderr: 5 }],
    [36, { stdout: 10, stderr: 3 }],
    [40, { stdout: 9, stderr: 0 }],
    [1_000, { stdout: 0, stderr: 0 }],
  ] as const;
  for (const [bytes, place] of cases) deepStrictEqual(placeBefore(SWITCHES, END, bytes), place);
});

Deno.test("placeBefore() knows only the switches before the end", () => {
  deepStrictEqual(placeBefore(SWITCHES, { stdout: 25, stderr: 5 }, 17), { stdout: 10, stderr: 3 });
  deepStrictEqual(placeBefore([], { stdout: 5, stderr: 0 }, 2), { stdout: 3, stderr: 0 });
});
