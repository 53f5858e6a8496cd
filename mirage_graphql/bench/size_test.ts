import { ok } from "node:assert/strict";
import { measureHandler, measurePanel } from "./size.ts";

Deno.test("a page loads at most 99.4 kB for a handler, 46.8 without dialects, 70.9 with one of a generated API", async () => {
  const [main, core, one] = await Promise.all([
    measureHandler("handler"),
    measureHandler("core"),
    measureHandler("one_dialect"),
  ]);
  ok(main <= 99_400, `${main} bytes in the main entry`);
  ok(core <= 46_800, `${core} bytes without dialects`);
  ok(core <= main - 15_000, `${core} bytes without dialects, and ${main} with all`);
  ok(one <= 70_900, `${one} bytes with one dialect, without the code that guesses`);
});

Deno.test("a page loads at most 5 kB for the panel before it is opened, and 40 kB in all", async () => {
  const { atOnce, inAll } = await measurePanel();
  ok(atOnce <= 5_000, `${atOnce} bytes before it is opened`);
  ok(inAll <= 40_000, `${inAll} bytes in all`);
  ok(inAll >= atOnce + 5_000, `${inAll} bytes in all: its inside is loaded later`);
});
