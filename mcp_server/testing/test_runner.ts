import type { CommandSpec, ExecutionResult, RunOptions } from "../tool/command.ts";
import { defaultLimits, type Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { CommandGroups } from "../run/command_groups.ts";
import { type CommandRunnerPool, createCommandRunner } from "../run/command_runner.ts";

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
  /** Waits until at least so many are alive; rejects after 30 s. */
  untilAlive(count: number): Promise<void>;
  /** The variable by which they are found. */
  readonly mark: Record<string, string>;
}

type Run = Promise<ExecutionResult>;

const ALIVE_MS = 30_000;

/**
 * A part of a script that waits until the output of the last command in the background has been
 * redirected to `/dev/null`, which happens some time after the command was started.
 */
export const ONCE_REDIRECTED =
  'until [ "$(readlink /proc/$!/fd/1)$(readlink /proc/$!/fd/2)" = /dev/null/dev/null ]; do sleep 0.01; done';

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
    untilAlive: async (count) => {
      for (const late = performance.now() + ALIVE_MS; alive().length < count;) {
        if (performance.now() > late) throw new Error(`Cannot see ${count} processes in time`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    sh: async (script, spec = {}, options = {}) => {
      using call = pool.forCall();
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

/** How long a process may take for execve(2), on a machine that is busy. */
const EXEC_MS = 5_000;

/**
 * Reads the environment of a process. During execve(2) a process has none, and what was opened
 * before ends early: then it is read again.
 */
function environOf(pid: string): string {
  try {
    for (const late = performance.now() + EXEC_MS;;) {
      const environ = Deno.readFileSync(`/proc/${pid}/environ`);
      const isWhole = environ.length === environLengthOf(pid) || performance.now() > late;
      if (isWhole) return new TextDecoder().decode(environ);
    }
  } catch {
    return "";
  }
}

/** A flag of threads of the kernel, which have no environment (proc_pid_stat(5)). */
const PF_KTHREAD = 0x200000;

/** How long the environment of a process is; `undefined` while it gets another one. */
function environLengthOf(pid: string): number | undefined {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", flags, start, end] = [
    fields[0],
    ...[6, 47, 48].map((at) => Number(fields[at])),
  ];
  if ("ZX".includes(state) || (Number(flags) & PF_KTHREAD) !== 0) return 0;
  return end === 0 ? undefined : Number(end) - Number(start);
}

/** Kills a process that a test left running on purpose. */
export function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
