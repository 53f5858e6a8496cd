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
  /** When it began, in seconds after the first step of the run. */
  readonly from: number;
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
  /**
   * How many busy steps run at a time, and how many that mostly wait, which also take the places of
   * busy ones when none of these is left to start. @default {both 1}
   */
  readonly atOnce?: { readonly busy: number; readonly waiting: number };
  /**
   * Calls back after a time unless what it returns is called: a step of tests that prints nothing
   * for ten minutes ends as failed. @default {a timer}
   */
  readonly after?: (ms: number, callback: () => void) => () => void;
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
  const busy = { left: steps.filter(({ mostlyWaits }) => !mostlyWaits), free: atOnce.busy };
  const waiting = { left: steps.filter(({ mostlyWaits }) => mostlyWaits), free: atOnce.waiting };
  const running = new Map<Step, Promise<StepResult>>();
  const start = performance.now();
  const startMore = () => {
    for (const lane of [busy, waiting]) {
      const lender = lane === waiting && busy.left.length === 0 ? busy : undefined;
      const count = lane.free + (lender?.free ?? 0);
      for (const step of lane.left.splice(0, count)) {
        const place = lane.free > 0 ? lane : lender ?? lane;
        place.free--;
        observer?.started(step);
        running.set(step, runStep(step, { ...options, signal, start }).finally(() => place.free++));
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

/** Longer than any single test takes on a busy machine; `deno test` itself waits forever. */
const SILENCE_MS = 10 * 60_000;

async function runStep(
  step: Step,
  options: RunStepsOptions & { start: number },
): Promise<StepResult> {
  const { cwd, signal, output: observer } = options;
  const begun = performance.now();
  await using folder = await createTempFolder();
  const report = `${folder.path}/report.xml`;
  const args = [...step.args];
  if (isTest(step)) args.splice(1, 0, `--junit-path=${report}`);
  if (step.together !== undefined) args.push(await writeModule(folder.path, cwd, step.together));
  let output = "";
  const keep = (text: string) => output = (output + text).slice(-MOST_OUTPUT);
  const isWatched = isTest(step) && observer !== "inherit";
  using silence = isWatched ? new Silence(options.after) : undefined;
  const code = await runProgram(Deno.execPath(), args, {
    signal: silence === undefined ? signal : AbortSignal.any([signal, silence.signal]),
    cwd,
    env: { ...options.env, ...step.env },
    output: observer === "inherit" ? observer : (raw) => {
      silence?.broken();
      const text = stripVTControlCharacters(raw);
      keep(text);
      observer.printed(step, text);
    },
  }).catch((error) => {
    if (signal.aborted || silence?.signal.aborted !== true) throw error;
    const waited = `it has printed nothing for ${SILENCE_MS / 60_000} minutes`;
    keep(`\nCannot wait for ${runningTest(output) ?? `"${step.name}"`}: ${waited}\n`);
    return -1;
  });
  const cases = isTest(step) ? parseJunit(await readIfThere(report)) : [];
  const tally = isTest(step) ? tallyOf(cases) : tallyOfCheck(code === 0);
  const from = (begun - options.start) / 1_000;
  const seconds = (performance.now() - begun) / 1_000;
  // A type error, or an error while a file loads, is in no report.
  const isUnseen = code !== 0 && tally.failed === 0;
  return { step, tally: isUnseen ? { ...tally, failed: 1 } : tally, cases, from, seconds, output };
}

/** Aborts its signal after a time in which nothing was printed. */
class Silence {
  readonly #after: NonNullable<RunStepsOptions["after"]>;
  readonly #controller = new AbortController();
  #cancel: () => void = () => {};

  constructor(after = startTimer) {
    this.#after = after;
    this.broken();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time anew. */
  broken(): void {
    this.#cancel();
    this.#cancel = this.#after(SILENCE_MS, () => this.#controller.abort());
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }
}

function startTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/** The innermost test that has begun, and its file: `deno test` prints `<name> ...`, then the rest. */
function runningTest(output: string): string | undefined {
  const begun: string[] = [];
  let file = "";
  for (const [, from, name = "", outcome] of output.matchAll(PRINTED)) {
    if (from !== undefined) file = from;
    else if (outcome === "") begun.push(name);
    else if (begun.includes(name)) begun.splice(begun.lastIndexOf(name));
  }
  const last = begun.at(-1);
  return last === undefined ? undefined : `"${last}" in ${file}`;
}

/** The line at the start of a file, or that of a test. */
const PRINTED = /^running \d+ tests? from (.*)$|^ *(.+?) \.\.\. ?(|(?:ok|FAILED|ignored)\b.*)$/gm;

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
