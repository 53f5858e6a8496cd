import { strictEqual } from "node:assert/strict";
import { memorySlope } from "./server_watch.ts";

Deno.test("memorySlope() is the growth in a minute over the second half", () => {
  const samples = Array.from({ length: 100 }, (_, at) => ({
    at,
    memory: at < 50 ? 10 * at : 500 + at / 10,
    descriptors: 1,
  }));
  strictEqual(Math.round(memorySlope(samples)), 6);
});
