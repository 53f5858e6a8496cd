import { deepStrictEqual, notDeepStrictEqual, rejects } from "node:assert/strict";
import { toIdempotency } from "./new_job.ts";

Deno.test("toIdempotency() has one digest for the same request, whatever the order of its keys", async () => {
  const first = await toIdempotency("k", { tool: "t", args: { a: 1, b: { c: [1, 2], d: "" } } });
  const again = { tool: "t", args: { b: { d: "", c: [1, 2] }, a: 1 }, stdin: false };
  deepStrictEqual(await toIdempotency("k", again), first);
});

Deno.test("toIdempotency() distinguishes tools, arguments, input and keys", async () => {
  const request = { tool: "t", args: { list: [1, 2] } };
  const first = await toIdempotency("k", request);
  for (
    const [key, other] of [
      ["k", { ...request, tool: "u" }],
      ["k", { ...request, args: { list: [2, 1] } }],
      ["k", { ...request, args: { list: [1, 2], more: null } }],
      ["k", { ...request, stdin: true }],
      ["l", request],
    ] as const
  ) {
    notDeepStrictEqual(
      (await toIdempotency(key, other)).idempotency?.digest,
      first.idempotency?.digest,
    );
  }
});

Deno.test("toIdempotency() accepts keys of 1 to 255 characters, and no key", async () => {
  deepStrictEqual(await toIdempotency(undefined, { tool: "t" }), {});
  await toIdempotency("k".repeat(255), { tool: "t" });
  for (const key of ["", "k".repeat(256)]) {
    await rejects(toIdempotency(key, { tool: "t" }), { code: "INVALID_ARGUMENTS" });
  }
});
