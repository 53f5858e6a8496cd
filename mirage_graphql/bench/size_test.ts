import { ok } from "node:assert/strict";
import { measureHandler } from "./size.ts";

Deno.test("a page loads at most 74 kB for a handler, 46.2 kB without dialects, and only those that it imports", async () => {
  const [main, core, one] = await Promise.all([
    measureHandler("handler"),
    measureHandler("core"),
    measureHandler("one_dialect"),
  ]);
  ok(main <= 74_000, `${main} bytes in the main entry`);
  ok(core <= 46_200, `${core} bytes without dialects`);
  ok(core <= main - 15_000, `${core} bytes without dialects, and ${main} with all`);
  ok(one < main - 1_000, `${one} bytes with one dialect, and ${main} with all`);
});
