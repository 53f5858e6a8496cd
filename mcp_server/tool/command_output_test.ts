import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { defaultLimits } from "../shared/limits.ts";
import type { ExecutionResult } from "./command.ts";
import {
  clamp,
  goOnAsJob,
  outputBoundsOf,
  ResultBudget,
  toEndedCommand,
  withJobOfRest,
  withTimeoutHint,
} from "./command_output.ts";
import type { CallJob, KeptJob } from "./job_service.ts";
import { JobError } from "./job.ts";
import type { ToolResult } from "./result.ts";

const LIMITS = defaultLimits(2);
const KEPT: KeptJob = { id: "a", next: { stdout: 3, stderr: 0 } };
const FULL: CallJob = {
  keep: () => Promise.reject(new JobError("Cannot start the job: full", { code: "BUSY" })),
};
const DONE: ExecutionResult = { stdout: "", stderr: "", exitCode: 0, timedOut: false };

Deno.test("outputBoundsOf() bounds what is read by a model, unless the call asks for more", () => {
  const answerBounds = { textBytes: 1_000, characters: 1_200 };
  const small = { outputBytes: 1_000, characters: 1_200 };
  deepStrictEqual(outputBoundsOf(undefined, { answerBounds }, LIMITS), small);
  const { maxResultBytes: characters, outputBytes, maxOutputBytes } = LIMITS;
  deepStrictEqual(outputBoundsOf(undefined, {}, LIMITS), { outputBytes, characters });
  deepStrictEqual(outputBoundsOf(5, { answerBounds }, LIMITS), { outputBytes: 5, characters });
  deepStrictEqual(outputBoundsOf(Infinity, { answerBounds }, LIMITS), {
    outputBytes: maxOutputBytes,
    characters,
  });
  const few = { ...LIMITS, outputBytes: 500 };
  strictEqual(outputBoundsOf(undefined, { answerBounds }, few).outputBytes, 500);
});

Deno.test("goOnAsJob() answers with the job, or says why there is none", async () => {
  const answers: ToolResult[] = [];
  const job: CallJob = { keep: () => Promise.resolve(KEPT), answer: (one) => answers.push(one) };
  strictEqual(await goOnAsJob({ job }, (job) => ({ job })), undefined);
  deepStrictEqual(answers.map(({ structuredContent }) => structuredContent), [{ job: KEPT }]);
  strictEqual(await goOnAsJob({ job: FULL }, () => ({})), "Cannot start the job: full");
  strictEqual(await goOnAsJob({}, () => ({})), "jobs can't be kept here");
});

Deno.test("withJobOfRest() names the job where something is left out, if there is one", async () => {
  const job: CallJob = { keep: () => Promise.resolve(KEPT) };
  const cut = { ...DONE, truncated: true } as const;
  deepStrictEqual(await withJobOfRest([DONE, cut], { job }), [DONE, { ...cut, job: "a" }]);
  deepStrictEqual(await withJobOfRest([DONE], { job: FULL }), [DONE]);
  deepStrictEqual(await withJobOfRest([cut], { job: FULL }), [cut]);
  deepStrictEqual(await withJobOfRest([cut], {}), [cut]);
});

Deno.test("withTimeoutHint() says how a stopped command can run longer, and why it did not", () => {
  const hintOf = (timedOut: boolean, job?: CallJob, refusal?: string) => {
    const extra = { limits: LIMITS, job };
    return withTimeoutHint({ ...DONE, timedOut }, { timeoutMs: 5, refusal, extra }).hint;
  };
  strictEqual(hintOf(false), undefined);
  const call = { ...FULL, answer: () => {} };
  const longer = "Stopped after timeoutMs (5, at most 600000)";
  for (const job of [undefined, call]) {
    strictEqual(hintOf(true, job), `${longer}; job-start runs longer work`);
  }
  strictEqual(hintOf(true, FULL), longer);
  const why = "Stopped after timeoutMs (5): it can't go on as a job, full";
  strictEqual(hintOf(true, call, "full"), why);
});

Deno.test("toEndedCommand() names the first reason: the time-out, memory, the exit code", () => {
  const ends = [
    [{ exitCode: 0, timedOut: false }, "ok"],
    [{ exitCode: 1, timedOut: false }, "nonzero"],
    [{ exitCode: 137, timedOut: false, oomKilled: false }, "nonzero"],
    [{ exitCode: 137, timedOut: false, oomKilled: true }, "oom"],
    [{ exitCode: 143, timedOut: true }, "timeout"],
    [{ exitCode: 0, timedOut: true }, "timeout"],
  ] as const;
  for (const [result, end] of ends) {
    deepStrictEqual(toEndedCommand(result), { end, exitCode: result.exitCode });
  }
});

Deno.test("clamp() returns the requested value or the fallback, and never more than the limit", () => {
  strictEqual(clamp(5, 30, 600), 5);
  strictEqual(clamp(undefined, 30, 600), 30);
  strictEqual(clamp(601, 30, 600), 600);
  strictEqual(clamp(undefined, 900, 600), 600);
});

Deno.test("ResultBudget leaves a share for each part, whatever the first ones take", () => {
  const size = 1_000_000;
  const budget = new ResultBudget(size, 100);
  let spent = 0;
  let least = Infinity;
  for (let part = 0; part < 100; part++) {
    least = Math.min(least, budget.next);
    spent += budget.next;
    budget.spend(budget.next);
  }
  strictEqual(spent <= size, true);
  strictEqual(least >= 8_000, true);
});

Deno.test("ResultBudget lets later parts use what earlier ones left", () => {
  const budget = new ResultBudget(1_000_000, 3);
  const first = budget.next;
  budget.spend(0);
  strictEqual(budget.next > first, true);
});

Deno.test("ResultBudget is never below zero, however little there is", () => {
  const budget = new ResultBudget(1_000, 100);
  strictEqual(budget.next, 0);
  budget.spend(500);
  strictEqual(budget.next, 0);
});
