import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseMetrics, sumOf } from "./prometheus.ts";

const TEXT = String.raw`# HELP trestle_calls_total Calls
# TYPE trestle_calls_total counter
trestle_calls_total{tool="a",outcome="ok"} 3
trestle_calls_total{tool="b \"x\", {y}\n",outcome="ok"} 4.5 1700000000000
trestle_call_seconds_bucket{le="+Inf"} 7
trestle_queue 0
nothing at all
trestle_bad{a="1"} NaN-ish
`;

Deno.test("parseMetrics() reads samples with their labels", () => {
  deepStrictEqual(parseMetrics(TEXT), [
    { name: "trestle_calls_total", labels: { tool: "a", outcome: "ok" }, value: 3 },
    { name: "trestle_calls_total", labels: { tool: 'b "x", {y}\n', outcome: "ok" }, value: 4.5 },
    { name: "trestle_call_seconds_bucket", labels: { le: "+Inf" }, value: 7 },
    { name: "trestle_queue", labels: {}, value: 0 },
  ]);
});

Deno.test("sumOf() adds the samples of a metric up", () => {
  const samples = parseMetrics(TEXT);
  strictEqual(sumOf(samples, "trestle_calls_total"), 7.5);
  strictEqual(sumOf(samples, "trestle_calls_total", { tool: "a" }), 3);
  strictEqual(sumOf(samples, "trestle_none"), undefined);
});
