import { ok, strictEqual } from "node:assert/strict";
import { toHostConfig } from "./host_config.ts";

function timeoutOf(text: string): number | undefined {
  return toHostConfig(new Map([["connecttimeout", [text]]]), {
    tokens: { h: "web", p: "22", r: "ann" },
    refuse: (state) => new Error(state),
    home: "/home/ann",
    env: () => undefined,
  }).connectTimeoutMs;
}

const TIMES: readonly (readonly [text: string, ms: number | undefined])[] = [
  ["90", 90_000],
  ["1m30s", 90_000],
  ["1M30", 90_000],
  ["2w", 600_000],
  ["9".repeat(400), 600_000],
  ["0", undefined],
  ["none", undefined],
  ["", undefined],
  ["s", undefined],
  ["1ss", undefined],
  ["1.5", undefined],
  ["-1", undefined],
];

for (const [text, ms] of TIMES) {
  Deno.test(`toHostConfig() reads the time ${JSON.stringify(text.slice(0, 10))}`, () => {
    strictEqual(timeoutOf(text), ms);
  });
}

Deno.test("toHostConfig() rejects a long number that is no time at once", () => {
  const startedAt = performance.now();
  strictEqual(timeoutOf(`${"1".repeat(50_000)}x`), undefined);
  ok(performance.now() - startedAt < 5_000);
});
