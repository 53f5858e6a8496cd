/**
 * Runs the checks and all tests, or only the tests that the arguments name; the arguments are those
 * of `deno test`. Its last line says how many passed.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { runProgram, type RunProgramOptions } from "./run_program.ts";
import { closingLine, countTests, sum, type Tally, tallyOf } from "./test_run/count_tests.ts";
import { installServices } from "./test_run/install_services.ts";

/** The checks of the sources before the tests run: arguments of `deno`, in order. */
const CHECKS: readonly (readonly string[])[] = [
  ["fmt", "--check"],
  ["lint"],
  ["check"],
  ["run", "-A", "scripts/checks/doc_lint.ts"],
  ["run", "-A", "scripts/checks/import_cycles.ts"],
  ["publish", "--dry-run", "--allow-dirty"],
];

const DEADLINE_MS = 30 * 60_000;
const FAIL_FAST = "--fail-fast";

async function main(args: readonly string[]): Promise<number> {
  const signal = AbortSignal.any([deadline(), interruption()]);
  const tallies: Tally[] = [];
  try {
    await installServices(signal);
    for await (const tally of run(args, signal)) tallies.push(tally);
  } catch (error) {
    if (!(signal.aborted && error instanceof Error)) throw error;
    console.error(`\n${error.message}`);
    tallies.push(tallyOf(false));
  }
  return close(sum(tallies));
}

async function* run(args: readonly string[], signal: AbortSignal): AsyncGenerator<Tally> {
  const whole = args.every((arg) => arg === FAIL_FAST);
  for (const check of whole ? CHECKS : []) {
    console.log(`\n> deno ${check.join(" ")}`);
    const tally = tallyOf(await runProgram(Deno.execPath(), check, { signal, cwd: ROOT }) === 0);
    yield tally;
    if (tally.failed > 0 && args.includes(FAIL_FAST)) return;
  }
  yield* whole ? runGroups(args, signal) : [await runTests(args, { signal })];
}

/** Tests that use the processor: those of the mock and of pages. */
const PAGES = ["mirage_graphql", "api_wrapper", "console", "test_support"];

/** Tests that mostly wait, for time and for processes, so that busy ones would disturb them. */
const SERVER = ["mcp_server", "tools"];

/** The groups of tests, in order; those of a row run side by side. */
const ROWS: readonly (readonly (readonly string[])[])[] = [
  [PAGES, [`--ignore=${[...PAGES, ...SERVER]}`]],
  SERVER.map((group) => [group]),
];

async function* runGroups(args: readonly string[], signal: AbortSignal): AsyncGenerator<Tally> {
  for (const row of ROWS) {
    const runs = row.map((group, index) =>
      runTests([...args, ...group], { signal, output: index === 0 ? "inherit" : "held" })
    );
    const tallies = await Promise.all(runs);
    yield* tallies;
    if (sum(tallies).failed > 0 && args.includes(FAIL_FAST)) return;
  }
}

async function runTests(
  args: readonly string[],
  options: Omit<RunProgramOptions, "cwd">,
): Promise<Tally> {
  console.log(`\n> deno test ${args.join(" ")}`);
  return await countTests(args, { ...options, cwd: ROOT });
}

function close(tally: Tally): number {
  for (const name of tally.skipped) console.log(`skipped: ${name}`);
  const strict = Deno.env.get("CI") === "true" && tally.skipped.length > 0;
  if (strict) console.log("With CI=true every test must run, so the run fails");
  console.log(closingLine(tally));
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
