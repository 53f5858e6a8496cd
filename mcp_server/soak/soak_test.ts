import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { newSeed } from "./random.ts";
import { judge } from "./report.ts";
import { memorySlope } from "./server_watch.ts";
import { soak } from "./soak.ts";

Deno.test("soak() finds nothing wrong in a few seconds of traffic", async () => {
  const seed = newSeed();
  const figures = await soak({ ms: 4_000, seed });
  const bad = judge(figures).filter(({ good }) => !good);
  deepStrictEqual(bad, [], `--seed ${seed}: ${figures.wrong.join("\n")}`);
  ok(figures.calls > 20, `${figures.calls} calls`);
});

Deno.test("soak() reports wrong answers, and what calls leave behind", async () => {
  const leaver = "setsid -f sleep 90 >/dev/null 2>&1 </dev/null; touch $TMPDIR/left";
  const figures = await soak({
    ms: 500,
    seed: 1,
    settleMs: 3_000,
    further: [() => ({
      tool: "exec-command",
      args: { commands: [{ command: leaver }] },
      isRight: ({ results }) => results === "another answer",
    })],
  });
  const bad = judge(figures).filter(({ good }) => !good).map(({ what }) => what);
  deepStrictEqual(bad, ["wrong answers", "processes left", "temporary files left"]);
  match(figures.wrong[0] ?? "", /^HTTP API, exec-command: /);
});

Deno.test("memorySlope() is the growth in a minute over the second half", () => {
  const samples = Array.from({ length: 100 }, (_, at) => ({
    at,
    memory: at < 50 ? 10 * at : 500 + at / 10,
    descriptors: 1,
  }));
  strictEqual(Math.round(memorySlope(samples)), 6);
});
