import { requires } from "../test_support/services.ts";
import { isWholeRun } from "../test_support/tier.ts";
import { type ConsoleSite, createConsoleSite } from "./testing/console_site.ts";
import { APPROVAL_STEPS } from "./testing/approval_steps.ts";
import { ISSUER_STEPS } from "./testing/issuer_steps.ts";
import { LIST_STEPS } from "./testing/list_steps.ts";
import { JOB_STEPS } from "./testing/job_steps.ts";
import { OVERVIEW_STEPS } from "./testing/overview_steps.ts";
import { QUALITY_STEPS, RESTART_STEP } from "./testing/quality_steps.ts";
import { type ConsoleStep, SESSION_STEPS } from "./testing/session_steps.ts";
import { QUESTION_STEPS } from "./testing/question_steps.ts";
import { RESULT_STEPS } from "./testing/result_steps.ts";
import { RUN_STEPS } from "./testing/run_steps.ts";
import { TERMINAL_STEPS } from "./testing/terminal_steps.ts";
import { TOOL_STEPS } from "./testing/tool_steps.ts";

const GROUPS = [
  APPROVAL_STEPS,
  ISSUER_STEPS,
  JOB_STEPS,
  LIST_STEPS,
  OVERVIEW_STEPS,
  QUALITY_STEPS,
  QUESTION_STEPS,
  RESULT_STEPS,
  RUN_STEPS,
  TERMINAL_STEPS,
  TOOL_STEPS,
  SESSION_STEPS,
];

/** Steps mostly wait, and each has its own tab. */
const LANES = 3;

/** The resource sanitizer can't attribute resources to steps that run in parallel. */
const TOGETHER = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false };

async function runSteps(t: Deno.TestContext, steps: ConsoleStep[], site: ConsoleSite) {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const [name, run] = step;
    await t.step({ name, fn: () => run(site), ...TOGETHER });
  }
}

Deno.test({
  ...requires("chromium", "the console works in Chromium with the real server"),
  fn: async (t) => {
    await using site = await createConsoleSite();
    // In a run of every day, the first of each group.
    const steps = isWholeRun ? GROUPS.flat() : GROUPS.flatMap((steps) => steps.slice(0, 1));
    await Promise.all(Array.from({ length: LANES }, () => runSteps(t, steps, site)));
    if (isWholeRun) await runSteps(t, [RESTART_STEP], site);
  },
});
