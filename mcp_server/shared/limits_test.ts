import { strictEqual } from "node:assert/strict";
import { clamp, defaultLimits, LIMIT_SETTINGS } from "./limits.ts";

Deno.test("clamp() returns the requested value or the fallback, and never more than the limit", () => {
  strictEqual(clamp(5, 30, 600), 5);
  strictEqual(clamp(undefined, 30, 600), 30);
  strictEqual(clamp(601, 30, 600), 600);
  strictEqual(clamp(undefined, 900, 600), 600);
});

Deno.test("LIMIT_SETTINGS has one variable for each limit, and every default is in its range", () => {
  const limits = defaultLimits(2);
  strictEqual(LIMIT_SETTINGS.length, Object.keys(limits).length);
  strictEqual(new Set(LIMIT_SETTINGS.map(({ env }) => env)).size, LIMIT_SETTINGS.length);
  for (const { key, min, max } of LIMIT_SETTINGS) {
    strictEqual(limits[key] >= min && limits[key] <= max, true, key);
  }
});
