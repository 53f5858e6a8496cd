import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { closingLine, sum, tallyOf } from "./tally.ts";

Deno.test("sum() adds passed, failed and skipped", () => {
  const tests = { passed: 2, failed: 1, skipped: ["a"] };
  deepStrictEqual(sum([tests, tallyOf(true), tallyOf(false), { ...tests, skipped: ["b"] }]), {
    passed: 5,
    failed: 3,
    skipped: ["a", "b"],
  });
  deepStrictEqual(sum([]), { passed: 0, failed: 0, skipped: [] });
});

Deno.test("closingLine() names the skipped only where there are some", () => {
  strictEqual(closingLine({ passed: 3, failed: 0, skipped: [] }), "3 passed, 0 failed");
  strictEqual(
    closingLine({ passed: 3, failed: 1, skipped: ["a"] }),
    "3 passed, 1 failed, 1 skipped",
  );
});
