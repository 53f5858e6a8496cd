import { rejects, strictEqual } from "node:assert/strict";
import { within } from "./deadline.ts";

Deno.test("within() tells whether a promise resolves in time", { sanitizeOps: true }, async () => {
  strictEqual(await within(Promise.resolve(), 60_000), true);
  strictEqual(await within(new Promise(() => {}), 1), false);
});

Deno.test("within() passes a failure on", async () => {
  await rejects(within(Promise.reject(new RangeError("no")), 60_000), RangeError);
});
