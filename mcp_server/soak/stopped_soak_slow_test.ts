import { deepStrictEqual, rejects } from "node:assert/strict";
import { findByMark } from "../testing/test_runner.ts";
import { shell, startJob } from "./scenarios/api_job.ts";
import type { Scenario, ScenarioParts } from "./scenarios/scenario.ts";
import { endlessProcesses } from "./server/leftovers.ts";
import { soak } from "./soak.ts";
import { Tally } from "./tally.ts";
import { waitFor } from "./waiting.ts";

Deno.test("soak() that is stopped leaves neither a process nor a folder", async () => {
  const stop = new AbortController();
  const tally = new Tally();
  let services: ScenarioParts["services"] | undefined;
  const scenarios = (parts: ScenarioParts): Scenario[] => [{
    name: "a job that goes on",
    run: async () => {
      services = parts.services;
      await startJob(parts.api, shell(parts.services.endless));
      const isThere = await waitFor(() => endlessProcesses(parts.services).length > 0, 30_000);
      stop.abort(new Error(isThere ? "stopped" : "the job has not begun"));
    },
  }];
  const options = {
    scenarios,
    changes: false,
    hasFleet: false,
    parallel: 1,
    tally,
    signal: stop.signal,
  };
  await rejects(soak({ ms: 600_000, seed: 1, ...options }), /^Error: stopped$/);
  const { folder = "", mark = "" } = services ?? {};
  await rejects(Deno.stat(folder), Deno.errors.NotFound);
  await waitFor(() => findByMark(mark).length === 0, 10_000);
  deepStrictEqual(findByMark(mark), []);
});
