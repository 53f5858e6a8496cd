import { strictEqual } from "node:assert/strict";
import { timingSafeEqual } from "node:crypto";
import * as fc from "fast-check";
import { equalDigests } from "./caller_table.ts";

const Digest = fc.uint8Array({ minLength: 32, maxLength: 32 });

Deno.test("equalDigests() says what timingSafeEqual() does, also of digests that differ in one bit", () => {
  fc.assert(fc.property(Digest, Digest, fc.nat(255), (one, other, bit) => {
    strictEqual(equalDigests(one, one.slice()), true);
    strictEqual(equalDigests(one, other), timingSafeEqual(one, other));
    const close = one.map((byte, at) => at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte);
    strictEqual(equalDigests(one, close), false);
  }));
});

Deno.test("equalDigests() tells digests of another length apart", () => {
  for (const length of [0, 31, 33]) {
    strictEqual(equalDigests(new Uint8Array(32), new Uint8Array(length)), false);
    strictEqual(equalDigests(new Uint8Array(length), new Uint8Array(32)), false);
  }
});
