import { ok } from "node:assert/strict";
import { measureHandler, measurePanel, MOST_BYTES } from "./size.ts";

Deno.test("a page loads at most MOST_BYTES for a handler: with all dialects, with none, and with one of a generated API", async () => {
  const [main, core, one] = await Promise.all([
    measureHandler("handler"),
    measureHandler("core"),
    measureHandler("one_dialect"),
  ]);
  ok(main <= MOST_BYTES.handler, `${main} bytes in the main entry`);
  ok(core <= MOST_BYTES.core, `${core} bytes without dialects`);
  ok(core <= main - 15_000, `${core} bytes without dialects, and ${main} with all`);
  ok(one <= MOST_BYTES.one_dialect, `${one} bytes with one dialect, without the code that guesses`);
});

Deno.test("a page loads at most 5 kB for the panel before it is opened, and 40 kB in all", async () => {
  const { atOnce, inAll } = await measurePanel();
  ok(atOnce <= 5_000, `${atOnce} bytes before it is opened`);
  ok(inAll <= 40_000, `${inAll} bytes in all`);
  ok(inAll >= atOnce + 5_000, `${inAll} bytes in all: its inside is loaded later`);
});
