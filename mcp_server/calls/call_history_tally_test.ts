import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { joinTallies, tallyOf, ToolTallies, toToolFigures } from "./call_history.ts";

const call = (tool: string, durationMs: number, outcome = "ok") => ({
  id: `${tool}-${durationMs}`,
  tool,
  caller: "ann",
  transport: "http" as const,
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs,
  outcome,
});

const figuresOf = (calls: readonly ReturnType<typeof call>[]) =>
  joinTallies(calls.map((one) => [tallyOf(one)])).map(toToolFigures);

Deno.test("tallies of two servers say how long half and 95 of a hundred calls took, to 5 %", () => {
  const even = Array.from({ length: 500 }, (_, at) => call("quick", 2 * at + 2));
  const odd = Array.from({ length: 500 }, (_, at) => call("quick", 2 * at + 1));
  const [both] = joinTallies(
    [even, odd].map((calls) => joinTallies(calls.map((c) => [tallyOf(c)]))),
  )
    .map(toToolFigures);
  strictEqual(both?.calls, 1_000);
  ok(Math.abs(both.p50Ms - 500) <= 25, String(both.p50Ms));
  ok(Math.abs(both.p95Ms - 950) <= 48, String(both.p95Ms));
  strictEqual(both.longest.durationMs, 1_000);
});

Deno.test("toToolFigures() counts failures, names most of them, and says no more than the longest", () => {
  const { id, startedAt } = call("slow", 9_000);
  deepStrictEqual(
    figuresOf([
      call("slow", 9_000),
      call("slow", 100, "BUSY"),
      call("slow", 100, "TIMEOUT"),
      call("slow", 100, "TIMEOUT"),
      call("at-once", 0),
    ]),
    [
      {
        tool: "slow",
        calls: 4,
        failures: 3,
        failure: "TIMEOUT",
        p50Ms: 102,
        p95Ms: 8_974,
        longest: { id, startedAt, durationMs: 9_000 },
      },
      {
        tool: "at-once",
        calls: 1,
        failures: 0,
        p50Ms: 0,
        p95Ms: 0,
        longest: { id: "at-once-0", startedAt, durationMs: 0 },
      },
    ],
  );
});

Deno.test("ToolTallies has room for 500 tools, and still counts those that it has", () => {
  const tallies = new ToolTallies();
  for (let at = 0; at < 600; at++) tallies.add(tallyOf(call(`tool-${at}`, 1)));
  tallies.add(tallyOf(call("tool-0", 1)));
  strictEqual(tallies.values().length, 500);
  strictEqual(tallies.values()[0]?.calls, 2);
});
