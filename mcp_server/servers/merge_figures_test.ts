import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type KeptFigures, tallyOf } from "../calls/call_history.ts";
import type { FigureSample } from "../tool/fleet_desk.ts";
import { mergeFigures, toFigures } from "./merge_figures.ts";

const sample = (second: number, more: Partial<FigureSample> = {}): FigureSample => ({
  at: new Date(1_000 * second).toISOString(),
  calls: 1,
  failures: 0,
  runs: 2,
  queue: 0,
  memoryBytes: 100,
  ...more,
});

const figures = (...samples: FigureSample[]): KeptFigures => ({
  hour: { everySeconds: 15, samples, tools: [] },
  day: { everySeconds: 300, samples: [], tools: [] },
});

const merged = (...all: KeptFigures[]) => {
  const { samples } = mergeFigures(all).hour;
  return samples.map(({ at, calls, runs, memoryBytes }) => [
    Date.parse(at) / 1_000,
    calls,
    runs,
    memoryBytes,
  ]);
};

Deno.test("mergeFigures() adds up what servers did at the same time", () => {
  deepStrictEqual(
    merged(figures(sample(1), sample(16), sample(31)), figures(sample(14), sample(29), sample(44))),
    [[15, 2, 4, 200], [30, 2, 4, 200], [45, 2, 4, 200]],
  );
});

Deno.test("mergeFigures() ends with the last step that all servers have reached", () => {
  deepStrictEqual(merged(figures(sample(1), sample(16)), figures(sample(2))), [[15, 2, 4, 200]]);
});

Deno.test("mergeFigures() has a server that stopped, or came later, for its time only", () => {
  deepStrictEqual(
    merged(
      figures(sample(1), sample(16)),
      figures(sample(31), sample(46), sample(61), sample(76), sample(91)),
    ),
    // Its commands are still counted in the step after its last one.
    [[15, 1, 2, 100], [30, 1, 2, 100], [45, 1, 4, 200], [60, 1, 2, 100], [75, 1, 2, 100], [
      90,
      1,
      2,
      100,
    ], [105, 1, 2, 100]],
  );
});

Deno.test("mergeFigures() neither loses a call nor counts one twice when a timer drifts", () => {
  deepStrictEqual(
    merged(figures(sample(0, { calls: 3 }), sample(30, { calls: 5 }), sample(44, { calls: 7 }))),
    [[15, 3, 2, 100], [30, 0, 2, 100], [45, 12, 2, 100]],
  );
});

Deno.test("mergeFigures() adds up the calls of a tool, of servers without samples too", () => {
  const call = (server: string, durationMs: number) => ({
    id: server,
    tool: "echo",
    caller: "ann",
    transport: "http" as const,
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs,
    outcome: durationMs > 10 ? "TIMEOUT" : "ok",
    server,
  });
  const own = (server: string, durationMs: number): KeptFigures => {
    const { hour, day } = figures();
    return { hour: { ...hour, tools: [tallyOf(call(server, durationMs))] }, day };
  };
  const { hour, day } = toFigures(mergeFigures([own("web-1", 1), own("web-2", 50)]));
  const [echo] = hour.tools;
  deepStrictEqual(
    [echo?.calls, echo?.failures, echo?.failure, echo?.longest.server],
    [2, 1, "TIMEOUT", "web-2"],
  );
  deepStrictEqual([hour.samples, day.tools], [[], []]);
  strictEqual(mergeFigures([]).hour.samples.length, 0);
});
