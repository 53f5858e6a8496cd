import { writeShort } from "./checks.ts";
import { createRandom, type Random } from "./random.ts";
import type { Pressure } from "./scenarios/pressure.ts";
import { pause } from "./waiting.ts";
import type { Scenario, ScenarioRun } from "./scenarios/scenario.ts";
import type { FileChanges } from "./server/file_changes.ts";
import type { Tally } from "./tally.ts";

/** How long scenarios run, and which. */
export interface ScheduleOptions {
  readonly ms: number;
  readonly seed: number;
  /** Concurrent scenarios. */
  readonly parallel: number;
  /** No scenario begins once it aborts. @default {one that never aborts} */
  readonly signal?: AbortSignal;
}

/** What runs are counted with. */
export interface ScheduleParts {
  readonly tally: Tally;
  readonly pressure: Pressure;
  /** Changes of files meanwhile. @default {none} */
  readonly changes?: FileChanges;
}

/** Scenarios to be run. */
export interface Schedule {
  /** Runs each scenario once, so that all is loaded and connected. */
  warmUp(): Promise<void>;
  /** Runs scenarios until the time is up. */
  run(): Promise<void>;
}

/** The longest pause between two changes of files. */
const CHANGE_PAUSE_MS = 12_000;
/** Counts scenarios that a flood has ended before their end: their jobs may go on. */
export const INTERRUPTED = "scenarios that a flood interrupted";

/**
 * Decides from a seed which scenarios run, and with which numbers. Each worker has numbers of its
 * own, and each run too, so that neither depends on how long another one takes.
 */
export function schedule(
  scenarios: readonly Scenario[],
  parts: ScheduleParts,
  { ms, seed, parallel, signal }: ScheduleOptions,
): Schedule {
  const random = createRandom(seed);
  let runs = 0;
  const run = (scenario: Scenario, own: Random) =>
    runOne(scenario, { id: ++runs, random: own }, parts);
  const workers = (work: (own: Random) => Promise<void>) =>
    Array.from({ length: parallel }, () => work(random.fork()));
  return {
    warmUp: async () => {
      const changed = changeAll(parts, random.fork());
      const left = scenarios.map((scenario) => [scenario, random.fork()] as const);
      const worker = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          if (signal?.aborted !== true) await run(...next);
        }
      };
      await Promise.all([changed, ...workers(worker)]);
    },
    run: async () => {
      const until = performance.now() + ms;
      const changed = changeUntil(until, parts, random.fork());
      const drawn = scenarios.flatMap((one) => Array.from({ length: one.weight ?? 1 }, () => one));
      const worker = async (own: Random) => {
        while (performance.now() < until && signal?.aborted !== true) {
          const scenario = drawn[own.below(drawn.length)];
          if (scenario === undefined) return;
          await run(scenario, own.fork());
        }
      };
      await Promise.all([changed, ...workers(worker)]);
    },
  };
}

async function changeAll({ changes, tally }: ScheduleParts, random: Random): Promise<void> {
  if (changes !== undefined) await countFailure(tally, changes.all(random));
}

/** Changes files until the time is up, with pauses. */
async function changeUntil(
  until: number,
  { changes, tally }: ScheduleParts,
  random: Random,
): Promise<void> {
  while (changes !== undefined) {
    const left = until - performance.now();
    await pause(Math.max(0, Math.min(left, random.below(CHANGE_PAUSE_MS))));
    if (performance.now() >= until) return;
    await countFailure(tally, changes.next(random.fork()));
  }
}

async function countFailure(tally: Tally, change: Promise<void>): Promise<void> {
  await change.catch((error) => tally.isWrong(`a change of files: ${writeShort(error)}`));
}

/** A scenario that fails is wrong, unless a flood is to blame. */
async function runOne(
  scenario: Scenario,
  run: ScenarioRun,
  { tally, pressure }: ScheduleParts,
): Promise<void> {
  const floods = pressure.watch();
  try {
    await scenario.run(run);
  } catch (error) {
    if (floods.excuses(error)) tally.interrupted(INTERRUPTED);
    else tally.isWrong(`${scenario.name}: ${writeShort(error)}`);
  }
}
