import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { RefusalLimit } from "./refusal_limit.ts";

Deno.test("RefusalLimit lets one of an address through in a while, and counts the others", () => {
  const limit = new RefusalLimit(1_000);
  const taken = [0, 1, 999, 1_000, 1_500, 2_500].map((now) => limit.take("a", now));
  deepStrictEqual(taken, [0, undefined, undefined, 2, undefined, 1]);
  strictEqual(limit.take("b", 2_500), 0);
});

Deno.test("RefusalLimit remembers a bounded number of addresses, which share the rest", () => {
  const limit = new RefusalLimit(1_000);
  const throughAt = (now: number) => {
    const addresses = Array.from({ length: 5_000 }, (_, at) => `${now}-${at}`);
    return addresses.filter((address) => limit.take(address, now) !== undefined).length;
  };
  strictEqual(throughAt(0), 1_025);
  strictEqual(limit.take("0-0", 500), undefined);
  strictEqual(throughAt(500), 0);
  strictEqual(throughAt(1_000) <= 1_026, true);
});
