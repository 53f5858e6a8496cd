import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { RememberedCalls } from "./call_history.ts";

const call = (id: string, caller = "ann", outcome = "ok") => ({
  id,
  tool: "echo",
  caller,
  transport: "http" as const,
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 5,
  outcome,
});
const LOAD = { runs: 1, queue: 0, memoryBytes: 100 };

Deno.test("RememberedCalls shows a caller its own calls, and an admin the last 1,000 of all", async () => {
  using history = new RememberedCalls();
  for (let n = 1; n <= 1_200; n++) history.add(call(`c${n}`, n % 2 === 0 ? "ann" : "bob"));
  const all = await history.list(DEFAULT_CALLER);
  strictEqual(all.length, 1_000);
  deepStrictEqual([all[0]?.id, all.at(-1)?.id], ["c1200", "c201"]);
  const rights = { tools: ["*"], hosts: [], databases: {}, paths: [], admin: false };
  const own = await history.list({ name: "ann", rights });
  strictEqual(own.length, 500);
  strictEqual(own.every(({ caller }) => caller === "ann"), true);
});

Deno.test("RememberedCalls counts calls for each 15 s, and together for 5 minutes", () => {
  using history = new RememberedCalls();
  for (let n = 0; n < 20; n++) {
    history.add(call("a"));
    if (n === 3) history.add(call("b", "ann", "TOOL_FAILED"));
    history.sample({ ...LOAD, runs: n === 7 ? 9 : 1 }, n * 15_000);
  }
  const { hour, day } = history.figures();
  deepStrictEqual([hour.everySeconds, hour.samples.length], [15, 20]);
  deepStrictEqual(hour.samples[3], {
    at: "1970-01-01T00:00:45.000Z",
    calls: 2,
    failures: 1,
    ...LOAD,
  });
  deepStrictEqual(day.samples, [{
    at: "1970-01-01T00:04:45.000Z",
    calls: 21,
    failures: 1,
    ...LOAD,
    runs: 9,
  }]);
  for (let n = 0; n < 500; n++) history.sample(LOAD, n);
  strictEqual(history.figures().hour.samples.length, 240);
});
