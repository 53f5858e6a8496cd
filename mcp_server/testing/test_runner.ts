import { DEFAULT_CALLER } from "../domain/caller.ts";
import type { CommandSpec, ExecutionResult, RunOptions } from "../domain/command.ts";
import { defaultLimits, type Limits } from "../domain/limits.ts";
import type { Log } from "../domain/log.ts";
import type { CommandGroups } from "../engine/cgroups/command_groups.ts";
import { type CommandRunnerPool, createCommandRunner } from "../engine/runner/command_runner.ts";

/** A search path for tests, whatever the environment. */
export const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A log line as tests compare it. */
export interface LogLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields?: object;
}

/** A log that keeps its lines. */
export function createTestLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: keyof Log) => (message: string, fields?: object) => {
    lines.push({ level, message, ...(fields === undefined ? {} : { fields }) });
  };
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * A runner for tests: it finds the processes that it started by other means than the runner under
 * test, and leaves none.
 */
export interface TestRunner extends AsyncDisposable {
  readonly pool: CommandRunnerPool;
  readonly log: ReturnType<typeof createTestLog>;
  /** Runs a bash script in a separate call. */
  sh(script: string, spec?: Partial<CommandSpec>, options?: Partial<RunOptions>): Run;
  /** Ids of the processes that scripts have started and that are still alive. */
  alive(): number[];
  /** The variable by which they are found. */
  readonly mark: Record<string, string>;
}

type Run = Promise<ExecutionResult>;

/** Creates a runner for one test; use it with `await using`. */
export function createTestRunner(
  limits: Partial<Limits> = {},
  env: Record<string, string> = { PATH },
  groups?: CommandGroups,
): TestRunner {
  const log = createTestLog();
  const all = { ...defaultLimits(2), ...limits };
  const pool = createCommandRunner({ limits: all, env, log, groups });
  const mark = { TEST_MARK: crypto.randomUUID() };
  const alive = () => findByMark(mark.TEST_MARK);
  return {
    pool,
    log,
    mark,
    alive,
    sh: async (script, spec = {}, options = {}) => {
      using call = pool.forCall(DEFAULT_CALLER);
      return await call.run(
        { program: "bash", args: ["-c", script], ...spec, env: { ...mark, ...spec.env } },
        { signal: new AbortController().signal, ...options },
      );
    },
    [Symbol.asyncDispose]: async () => {
      while (alive().length > 0) alive().forEach(kill);
      await pool.idle();
    },
  };
}

/** Aborts once the output says that the script is ready, so that no test needs to sleep. */
export function abortWhenReady(reason: unknown): RunOptions {
  const controller = new AbortController();
  let output = "";
  return {
    signal: controller.signal,
    onOutput: ({ text }) => {
      output += text;
      if (output.includes("ready")) controller.abort(reason);
    },
  };
}

/** Ids of the live processes whose environment contains a text. */
export function findByMark(mark: string): number[] {
  return [...Deno.readDirSync("/proc")]
    .filter(({ name }) => /^\d+$/.test(name) && environOf(name).includes(mark))
    .map(({ name }) => Number(name));
}

function environOf(pid: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`);
  } catch {
    return "";
  }
}

/** Kills a process that a test left running on purpose. */
export function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
