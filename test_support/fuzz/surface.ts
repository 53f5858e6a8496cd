import fc from "fast-check";
import { watchRejections } from "./watch_rejections.ts";

/** What one surface is tested with: its inputs, and what must hold for each of them. */
export interface Subject<Input> extends AsyncDisposable {
  readonly inputs: fc.Arbitrary<Input>;
  /** Throws if the answer to an input is wrong; the message says how. */
  check(input: Input): void | Promise<void>;
  /** What is wrong after the last input, such as a process that is left. @default {nothing} */
  end?(): Promise<readonly string[]>;
}

/** How a surface is defined. */
export interface SurfaceOptions<Input> {
  /** The name by which the task runs it: `<component>-<what is read>`. */
  readonly name: string;
  /** The part of the requested inputs that it gets: less than 1 if they are expensive. @default {1} */
  readonly share?: number;
  /** How long one input may take, in milliseconds. @default {20_000} */
  readonly deadlineMs?: number;
  open(): Promise<Subject<Input>>;
}

/** How much is sent to a surface, and from which seed. */
export interface FuzzRun {
  /** How many inputs are requested; the surface's share of them is sent. */
  readonly runs: number;
  readonly seed: number;
  /** Where the inputs begin, as a failure printed it. @default {at the first one} */
  readonly path?: string | undefined;
  /** Called before each input. */
  readonly onInput?: () => void;
}

/** What a run has found. */
export interface FuzzReport {
  readonly name: string;
  readonly runs: number;
  readonly seed: number;
  readonly seconds: number;
  /** The smallest example of each failure, and the command that repeats it. */
  readonly found: readonly string[];
}

/** Something that parses untrusted input. */
export interface Surface {
  readonly name: string;
  /** Sends inputs until one fails, or all were sent. */
  run(options: FuzzRun): Promise<FuzzReport>;
}

/** Defines a surface; every run of it opens what it tests and closes it again. */
export function defineSurface<Input>(options: SurfaceOptions<Input>): Surface {
  const { name, share = 1, deadlineMs = 20_000, open } = options;
  return {
    name,
    run: async ({ runs, seed, path, onInput = () => {} }) => {
      const startedAt = performance.now();
      await using subject = await open();
      using rejections = watchRejections();
      const property = fc.asyncProperty(subject.inputs, async (input) => {
        onInput();
        const before = performance.now();
        await subject.check(input);
        const unhandled = await rejections.take();
        if (unhandled.length > 0) throw new Error(`Unhandled: ${unhandled.join("; ")}`);
        const ms = performance.now() - before;
        if (ms > deadlineMs) throw new Error(`It took ${ms.toFixed(0)} ms`);
      });
      const sent = Math.max(1, Math.round(runs * share));
      const parameters = {
        numRuns: sent,
        seed,
        timeout: deadlineMs,
        includeErrorInReport: true,
      };
      const result = await fc.check(
        property,
        path === undefined ? parameters : { ...parameters, path },
      );
      const found = await faultsOf(subject);
      if (result.failed) {
        const message = await fc.asyncDefaultReportMessage(result) ?? "";
        const at = result.counterexamplePath ?? "0";
        found.unshift(`${message}\n\nRepeat: deno task fuzz --seed=${seed} --path ${at} ${name}`);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      return { name, runs: result.numRuns, seed, seconds, found };
    },
  };
}

/** What is wrong at the end; a failure to find out, such as after a crash, is one more fault. */
async function faultsOf<Input>(subject: Subject<Input>): Promise<string[]> {
  try {
    return [...await subject.end?.() ?? []];
  } catch (error) {
    return [`Cannot look for faults: ${error}`];
  }
}

/** A random seed, as fast-check takes them. */
export function newSeed(): number {
  return crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
}
