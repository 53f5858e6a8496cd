import { ok } from "node:assert/strict";
import { measureHandler } from "./size.ts";

Deno.test("a page loads at most 75 kB for a handler, 45.8 without dialects, 66 with one of a generated API", async () => {
  const [main, core, one] = await Promise.all([
    measureHandler("handler"),
    measureHandler("core"),
    measureHandler("one_dialect"),
  ]);
  ok(main <= 75_000, `${main} bytes in the main entry`);
  ok(core <= 45_800, `${core} bytes without dialects`);
  ok(core <= main - 15_000, `${core} bytes without dialects, and ${main} with all`);
  ok(one <= 66_000, `${one} bytes with one dialect, without the code that guesses`);
});
