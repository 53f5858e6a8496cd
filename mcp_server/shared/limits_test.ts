import { strictEqual } from "node:assert/strict";
import { defaultLimits, LIMIT_SETTINGS } from "./limits.ts";

Deno.test("LIMIT_SETTINGS has one variable for each limit, and every default is in its range", () => {
  const limits = defaultLimits(2);
  strictEqual(LIMIT_SETTINGS.length, Object.keys(limits).length);
  strictEqual(new Set(LIMIT_SETTINGS.map(({ env }) => env)).size, LIMIT_SETTINGS.length);
  for (const { key, min, max } of LIMIT_SETTINGS) {
    strictEqual(limits[key] >= min && limits[key] <= max, true, key);
  }
});
