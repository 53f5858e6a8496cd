/**
 * Runs the checks and the tests of every day; with `--all` or `CI=true` all tests; with other
 * arguments only the tests that they name, which are arguments of `deno test`. `--fail-fast` ends
 * the run at the first failure. Its last line says how many passed.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { SHARED_FOLDER } from "../test_support/shared_folder.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { sourceFiles } from "./source_files.ts";
import { endMarked } from "./test_run/end_marked.ts";
import { installServices } from "./test_run/install_services.ts";
import {
  closingLine,
  slowestFiles,
  sum,
  type Tally,
  tallyOfCheck,
} from "./test_run/junit_report.ts";
import { runSteps, type Step, type StepResult } from "./test_run/run_steps.ts";
import { Progress } from "./test_run/show_progress.ts";
import { testSteps } from "./test_run/test_steps.ts";

const DEADLINE_MS = 55 * 60_000;
/** Names this run in the environment of every process that it starts. */
const MARK = "TRESTLE_TEST_RUN";
const DRAW_MS = 1_000;
const SLOWEST = 10;

const isCI = Deno.env.get("CI") === "true";

async function main(args: readonly string[]): Promise<number> {
  const failFast = args.includes("--fail-fast");
  const all = isCI || args.includes("--all");
  const named = args.filter((arg) => arg !== "--fail-fast" && arg !== "--all");
  const signal = AbortSignal.any([deadline(), interruption()]);
  // A run within a test of another run is a part of that.
  const run = [Deno.env.get(MARK) ?? [], crypto.randomUUID()].flat().join("/");
  const results: StepResult[] = [];
  await using shared = await createTempFolder();
  const env = { [MARK]: run, [SHARED_FOLDER]: shared.path };
  try {
    await installServices(signal);
    const running = named.length > 0
      ? runSteps([namedTests(named)], { cwd: ROOT, env, signal, output: "inherit" })
      : wholeRun({ all, failFast, env, signal });
    for await (const result of running) results.push(result);
  } catch (error) {
    if (!(signal.aborted && error instanceof Error)) throw error;
    console.error(`\n${error.message}`);
  } finally {
    await endMarked(`${MARK}=${run}`);
  }
  if (named.length === 0) printSlowest(results);
  const tallies = results.map(({ tally }) => tally);
  return close(sum(signal.aborted ? [...tallies, tallyOfCheck(false)] : tallies));
}

/** Tests that arguments name print as `deno test` does, and their types are checked. */
function namedTests(args: readonly string[]): Step {
  return { name: "named tests", args: ["test", "-A", "--doc", ...args] };
}

interface WholeRunOptions {
  readonly all: boolean;
  readonly failFast: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs all steps, with a line for each when it has ended. */
async function* wholeRun(options: WholeRunOptions): AsyncGenerator<StepResult> {
  const files = await sourceFiles(ROOT, ["_test.ts", "_test.tsx"]);
  const steps = await testSteps(files, {
    all: options.all,
    read: (file) => Deno.readTextFile(`${ROOT}/${file}`),
  });
  const encoder = new TextEncoder();
  const progress = new Progress((text) => Deno.stdout.writeSync(encoder.encode(text)), {
    columns: Deno.stdout.isTerminal() ? () => Deno.consoleSize().columns : undefined,
  });
  const timer = setInterval(() => progress.draw(), DRAW_MS);
  try {
    yield* runSteps(steps, {
      ...options,
      cwd: ROOT,
      atOnce: options.all ? AT_ONCE.all : AT_ONCE.daily,
      output: progress,
    });
  } finally {
    clearInterval(timer);
  }
}

/** On two cores: with more at once, all take longer in sum. */
const AT_ONCE = { daily: { busy: 2, waiting: 3 }, all: { busy: 3, waiting: 2 } };

function printSlowest(results: readonly StepResult[]): void {
  const files = slowestFiles(results.flatMap(({ cases }) => cases), SLOWEST);
  if (files.length === 0) return;
  console.log(`\nThe slowest files:`);
  for (const { file, seconds } of files) {
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`);
  }
}

function close(tally: Tally): number {
  for (const name of tally.skipped) console.log(`skipped: ${name}`);
  const strict = isCI && tally.skipped.length > 0;
  if (strict) console.log("With CI=true every test must run, so the run fails");
  console.log(`\n${closingLine(tally)}`);
  return strict || tally.failed > 0 ? 1 : 0;
}

function deadline(): AbortSignal {
  const controller = new AbortController();
  const reason = new Error(
    `Cannot continue: the run took more than ${DEADLINE_MS / 60_000} minutes`,
  );
  Deno.unrefTimer(setTimeout(() => controller.abort(reason), DEADLINE_MS));
  return controller.signal;
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      controller.abort(new Error(`Cannot continue: ${signal} was received`));
    });
  }
  return controller.signal;
}

Deno.exit(await main(Deno.args));
