import { stripVTControlCharacters } from "node:util";
import { pathToFileURL } from "node:url";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { runProgram } from "../run_program.ts";
import { parseJunit, type Tally, tallyOf, tallyOfCheck, type TestCase } from "./junit_report.ts";

/** A part of a run: a check of the sources, or a group of tests. */
export interface Step {
  readonly name: string;
  /** Arguments of `deno`. */
  readonly args: readonly string[];
  /** Test files that one module imports, so that what they share is loaded once. */
  readonly together?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it leaves the processor to others most of the time. @default {false} */
  readonly mostlyWaits?: boolean;
}

/** What a step has shown. */
export interface StepResult {
  readonly step: Step;
  readonly tally: Tally;
  readonly cases: readonly TestCase[];
  readonly seconds: number;
  /** The end of what it printed, without colors. */
  readonly output: string;
}

/** How steps run. */
export interface RunStepsOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Environment of every step. */
  readonly env: Readonly<Record<string, string>>;
  /** Where their output goes. */
  readonly output: "inherit" | StepObserver;
  /** How many busy steps run at a time, and how many that mostly wait. @default {both 1} */
  readonly atOnce?: { readonly busy: number; readonly waiting: number };
  /** Whether the first failure ends all steps. @default {false} */
  readonly failFast?: boolean;
}

/** Sees what steps do while they do it. */
export interface StepObserver {
  started(step: Step): void;
  /** Gets what a step prints, without colors. */
  printed(step: Step, text: string): void;
  ended(result: StepResult): void;
}

/**
 * Runs steps in their order, some at a time, and yields each result when it is there. With
 * `failFast`, the steps that still run at the first failure are ended, and give no result.
 */
export async function* runSteps(
  steps: readonly Step[],
  options: RunStepsOptions,
): AsyncGenerator<StepResult> {
  const { atOnce = { busy: 1, waiting: 1 }, failFast = false } = options;
  const observer = options.output === "inherit" ? undefined : options.output;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const lanes = [
    { left: steps.filter(({ mostlyWaits }) => !mostlyWaits), free: atOnce.busy },
    { left: steps.filter(({ mostlyWaits }) => mostlyWaits), free: atOnce.waiting },
  ];
  const running = new Map<Step, Promise<StepResult>>();
  const startMore = () => {
    for (const lane of lanes) {
      for (const step of lane.left.splice(0, lane.free)) {
        lane.free--;
        observer?.started(step);
        running.set(step, runStep(step, { ...options, signal }).finally(() => lane.free++));
      }
    }
  };
  try {
    for (startMore(); running.size > 0; startMore()) {
      const result = await Promise.race(running.values());
      running.delete(result.step);
      observer?.ended(result);
      yield result;
      if (failFast && result.tally.failed > 0) return;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running.values());
  }
}

/** How much of what a step prints is kept, in characters: enough for the errors at its end. */
const MOST_OUTPUT = 1_000_000;

async function runStep(step: Step, options: RunStepsOptions): Promise<StepResult> {
  const { cwd, signal, output: observer } = options;
  const begun = performance.now();
  await using folder = await createTempFolder();
  const report = `${folder.path}/report.xml`;
  const args = [...step.args];
  if (isTest(step)) args.splice(1, 0, `--junit-path=${report}`);
  if (step.together !== undefined) args.push(await writeModule(folder.path, cwd, step.together));
  let output = "";
  const keep = (text: string) => output = (output + text).slice(-MOST_OUTPUT);
  const code = await runProgram(Deno.execPath(), args, {
    signal,
    cwd,
    env: { ...options.env, ...step.env },
    output: observer === "inherit" ? observer : (raw) => {
      const text = stripVTControlCharacters(raw);
      keep(text);
      observer.printed(step, text);
    },
  });
  const cases = isTest(step) ? parseJunit(await readIfThere(report)) : [];
  const tally = isTest(step) ? tallyOf(cases) : tallyOfCheck(code === 0);
  const seconds = (performance.now() - begun) / 1_000;
  // A type error, or an error while a file loads, is in no report.
  const isUnseen = code !== 0 && tally.failed === 0;
  return { step, tally: isUnseen ? { ...tally, failed: 1 } : tally, cases, seconds, output };
}

function isTest({ args }: Step): boolean {
  return args[0] === "test";
}

/** Writes a module that imports test files, and returns its path. */
async function writeModule(
  folder: string,
  root: string,
  files: readonly string[],
): Promise<string> {
  const path = `${folder}/together_test.ts`;
  const urls = files.map((file) => pathToFileURL(`${root}/${file}`).href);
  await Deno.writeTextFile(path, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
  return path;
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
