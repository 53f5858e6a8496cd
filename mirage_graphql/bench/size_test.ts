import { ok } from "node:assert/strict";
import { measureHandler } from "./size.ts";

Deno.test("a page loads at most 45.7 kB for a handler, and the conventions only if it follows some", async () => {
  const { atOnce, conventions } = await measureHandler();
  ok(atOnce <= 45_700, `${atOnce} bytes`);
  ok(conventions >= 5_000, `${conventions} bytes are not loaded at once`);
});
