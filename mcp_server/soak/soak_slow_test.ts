import { deepStrictEqual, match, ok } from "node:assert/strict";
import { whyUncontained } from "../testing/contained.ts";
import { newSeed } from "./random.ts";
import { judge } from "./report.ts";
import { shell, startJob } from "./scenarios/api_job.ts";
import { callScenario } from "./scenarios/calls.ts";
import type { Scenario, ScenarioParts } from "./scenarios/scenario.ts";
import { soak } from "./soak.ts";

Deno.test("soak() finds nothing wrong in a few seconds of traffic", async () => {
  const seed = newSeed();
  const figures = await soak({ ms: 1_000, seed, clientMs: 6_000 });
  const bad = judge(figures).filter(({ good }) => !good);
  deepStrictEqual(bad, [], `--seed ${seed}: ${figures.tally.wrong.join("\n")}`);
  const transports = [...figures.tally.transports.keys()];
  ok(transports.length > 12, transports.join(", "));
});

/** The process that is left is in a control group, if the machine has them. */
const whereContained = (what: string) => UNCONTAINED === undefined ? [what] : [];
const UNCONTAINED = await whyUncontained();

/** One of each thing that must not be. */
function planted(parts: ScenarioParts): Scenario[] {
  const { api, server } = parts;
  const leaver = "setsid -f sleep 90 >/dev/null 2>&1 </dev/null; touch $TMPDIR/left";
  const rejecting = 'Promise.reject(new Error("planted"));';
  const faults: Record<string, () => Promise<unknown>> = {
    "a job that goes on": () => startJob(api, shell("sleep 60")),
    "a call that is not counted": () => api.post({ tool: "changing", args: {} }),
    "a rejection that nothing handles": async () => {
      await Deno.writeTextFile(`${server.tools}/rejecting.ts`, rejecting);
      await api.ask("/api/admin/reload", { method: "POST", caller: "default" });
    },
    "an unexpected refusal": () => startJob(api, { tool: "no-such-tool" }),
  };
  return [
    callScenario(parts, () => ({
      tool: "exec-command",
      args: { commands: [{ command: leaver }] },
      isRight: ({ results }) => results === "another answer",
    })),
    ...Object.entries(faults).map(([name, run]) => ({ name, run: async () => void await run() })),
  ];
}

Deno.test("soak() reports wrong answers, and what calls leave behind", async () => {
  const options = {
    scenarios: planted,
    changes: false,
    hasFleet: false,
    settleMs: 2_000,
    parallel: 1,
  };
  const figures = await soak({ ms: 0, seed: 1, ...options });
  const bad = judge(figures).filter(({ good }) => !good).map(({ what }) => what);
  deepStrictEqual(bad, [
    "wrong answers",
    "processes left",
    "commands, jobs and statements still running",
    "audit, HTTP: starts, ends, calls",
    // The job ends with the server.
    "calls in the audit and in the metrics",
    "temporary files left",
    ...whereContained("control groups left"),
    "unhandled rejections",
  ]);
  const [answer, refusal] = figures.tally.wrong;
  match(answer ?? "", /exec-command: \{"results":/);
  match(refusal ?? "", /^an unexpected refusal: .*no-such-tool/);
});
