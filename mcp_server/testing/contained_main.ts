import { defaultLimits } from "../shared/limits.ts";
import { openContainment } from "../run/containment.ts";
import { createCommandRunner } from "../run/command_runner.ts";
import { createTestLog, PATH } from "./test_runner.ts";

// Runs a bash script in a control group, or says why there is none, for tests that start it as
// another user or in another namespace. It imports no packages, so that it needs no cache.
const [settings = "{}", script = "", timeoutMs = "1000"] = Deno.args;
const log = createTestLog();
try {
  const options = { mode: "auto" as const, limits: {}, path: PATH, log, ...JSON.parse(settings) };
  await using containment = await openContainment(options);
  const { groups, state } = containment;
  const pool = createCommandRunner({ limits: defaultLimits(1), env: { PATH }, log, groups });
  const { signal } = new AbortController();
  const run = async () => {
    using call = pool.forCall();
    const spec = { program: "bash", args: ["-c", script], timeoutMs: Number(timeoutMs) };
    return await call.run(spec, { signal });
  };
  const result = await run();
  await pool.idle();
  console.log(JSON.stringify({ state, result, log: log.lines }));
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
