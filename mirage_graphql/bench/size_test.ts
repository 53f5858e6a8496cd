import { ok } from "node:assert/strict";
import { measureHandler } from "./size.ts";

Deno.test("a page loads at most 95.4 kB for a handler, 46.8 without dialects, 70.8 with one of a generated API", async () => {
  const [main, core, one] = await Promise.all([
    measureHandler("handler"),
    measureHandler("core"),
    measureHandler("one_dialect"),
  ]);
  ok(main <= 95_400, `${main} bytes in the main entry`);
  ok(core <= 46_800, `${core} bytes without dialects`);
  ok(core <= main - 15_000, `${core} bytes without dialects, and ${main} with all`);
  ok(one <= 70_800, `${one} bytes with one dialect, without the code that guesses`);
});
