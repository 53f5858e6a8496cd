import { deepStrictEqual } from "node:assert/strict";
import { sortTools, toolFigures } from "./tool_figures.ts";

const call = (tool: string, durationMs: number, outcome = "ok") => ({
  id: `${tool}-${durationMs}`,
  tool,
  caller: "ann",
  transport: "http" as const,
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs,
  outcome,
});

const CALLS = [
  ...Array.from({ length: 100 }, (_, index) => call("quick", index + 1)),
  call("slow", 9_000),
  call("slow", 100, "TIMEOUT"),
  call("slow", 300, "TIMEOUT"),
  call("slow", 200, "BUSY"),
];

Deno.test("toolFigures() has the latency and the failures of each tool, and sortTools() the worst at the top", () => {
  const byLatency = sortTools(toolFigures(CALLS), "latency");
  deepStrictEqual(byLatency, [
    {
      tool: "slow",
      calls: 4,
      failures: 3,
      failure: "TIMEOUT",
      p50Ms: 200,
      p95Ms: 9_000,
      longest: call("slow", 9_000),
    },
    {
      tool: "quick",
      calls: 100,
      failures: 0,
      p50Ms: 50,
      p95Ms: 95,
      longest: call("quick", 100),
    },
  ]);
  deepStrictEqual(
    sortTools(toolFigures([...CALLS, call("bad", 1, "BUSY")]), "failures").map((one) => one.tool),
    [
      "bad",
      "slow",
      "quick",
    ],
  );
  deepStrictEqual(toolFigures([]), []);
});
