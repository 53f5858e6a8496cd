import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { StepResult } from "./run_steps.ts";
import { Progress } from "./show_progress.ts";

const STEP = { name: "mcp_server", args: ["test", "-A", "a_test.ts"] };

const PASSED: StepResult = {
  step: STEP,
  tally: { passed: 1_234, failed: 0, skipped: [] },
  cases: [],
  from: 12,
  seconds: 12.34,
  output: "",
};

const ERRORS = `a ... FAILED (1ms)

 ERRORS 

it's a => ./a_test.ts:1:6
error: Error: no

 FAILURES 

it's a => ./a_test.ts:1:6
`;

const FAILED: StepResult = {
  ...PASSED,
  tally: { passed: 1, failed: 1, skipped: [] },
  cases: [
    { name: "it's a", file: "a_test.ts", outcome: "failed", seconds: 0, isStep: false },
    { name: "it's a > b", file: "a_test.ts", outcome: "failed", seconds: 0, isStep: true },
  ],
  output: ERRORS,
};

Deno.test("Progress writes one line for a step that passed, and nothing else, where there is no terminal", () => {
  const written: string[] = [];
  const progress = new Progress((text) => written.push(text), { columns: undefined });
  progress.started(STEP);
  progress.printed(STEP, "a ... ok (1ms)\n");
  progress.draw();
  progress.ended(PASSED);
  strictEqual(written.length, 1);
  match(written.join(""), /^mcp_server +1,234 passed, 0 failed +12\.3 s from +12 s\n$/);
});

Deno.test("Progress shows on a terminal what runs, within its width", () => {
  const written: string[] = [];
  const progress = new Progress((text) => written.push(text), { columns: () => 20 });
  progress.started(STEP);
  progress.printed(STEP, "a ... ok (1ms)\nb ... FAILED (2ms)\n  c ... ok (0ms)\n");
  progress.draw();
  strictEqual(written.at(-1), "\r\x1b[Kmcp_server: 2, 1 fa");
});

Deno.test("Progress writes the errors of a step that failed, and how to run each test alone", () => {
  const written: string[] = [];
  const progress = new Progress((text) => written.push(text), { columns: undefined });
  progress.started(STEP);
  progress.ended(FAILED);
  const text = written.join("");
  match(text, /\nit's a => \.\/a_test\.ts:1:6\nerror: Error: no\n/);
  const commands = text.split("\n").filter((line) => line.includes("deno task test"));
  deepStrictEqual(commands, [`  deno task test a_test.ts --filter 'it'\\''s a'`]);
});

Deno.test("Progress writes the last lines of a failure without a list of errors", () => {
  const written: string[] = [];
  const progress = new Progress((text) => written.push(text), { columns: undefined });
  const lines = Array.from({ length: 150 }, (_, at) => `line ${at}\n`);
  progress.started(STEP);
  progress.ended({ ...FAILED, cases: [], output: lines.join("") });
  match(written.join(""), /\n\nline 50\n[^]*line 149\n/);
});
