import { ok } from "node:assert/strict";
import { measureHandler } from "./size.ts";

Deno.test("a page loads at most 91.9 kB for a handler, 47.7 without dialects, 69.6 with one of a generated API", async () => {
  const [main, core, one] = await Promise.all([
    measureHandler("handler"),
    measureHandler("core"),
    measureHandler("one_dialect"),
  ]);
  ok(main <= 91_900, `${main} bytes in the main entry`);
  ok(core <= 47_700, `${core} bytes without dialects`);
  ok(core <= main - 15_000, `${core} bytes without dialects, and ${main} with all`);
  ok(one <= 69_600, `${one} bytes with one dialect, without the code that guesses`);
});
