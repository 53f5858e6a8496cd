import type {
  CommandRunner,
  CommandSpec,
  ExecutionResult,
  RunOptions,
  TerminalSize,
} from "../tool/command.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import { CallPermit, type Priority, Semaphore } from "../shared/concurrency.ts";
import type { Meter } from "../tool/service.ts";
import { type Env, RUN_COOKIE, WaitingShells } from "./child.ts";
import type { CommandInput } from "./child_io.ts";
import type { CommandGroups } from "./command_groups.ts";
import { type Ending, endMarked, endProcesses } from "./end_processes.ts";
import { ensureRunnable, ProgramFinder } from "./launch.ts";
import { createProcessTable, mergeProcesses } from "./process_table.ts";
import { type RunParts, runToEnd } from "./run_to_end.ts";

/** What commands are run with. */
interface CommandRunnerOptions {
  readonly limits: Limits;
  /** The server's environment; children get it without the server's own settings and secrets. */
  readonly env: Env;
  readonly log: Log;
  readonly meter?: Pick<Meter, "stopped">;
  /** The control groups of commands. @default {none: a variable alone identifies processes} */
  readonly groups?: CommandGroups | undefined;
}

/** What distinguishes the commands of a job from those of a call. */
interface JobRunOptions {
  readonly priority: Priority;
  /** A word in the environment of all processes of the job. */
  readonly mark: string;
  /** Input for the first command that has no input of its own. @default {none} */
  readonly input?: CommandInput | undefined;
  /** The terminal of that command. @default {none} */
  readonly terminal?: TerminalSize | undefined;
}

/** Runs the commands of a job. */
export interface JobRunner extends Disposable {
  /** Resolves once the job has the permit of its first command; rejects as the semaphore does. */
  ready(signal: AbortSignal): Promise<void>;
  /** Itself, for the call of the job: the environment of the processes names it. */
  forCall(callId: string, limits: Limits): CommandRunner;
}

/** The permits for commands, shared by all calls of a server. */
export interface CommandRunnerPool {
  /**
   * Creates the runner of one call. The call keeps the permit of its first command, so that its next
   * ones are not rejected as busy; the permit is free again once the runner is disposed of. With an
   * id of the call, the environment of its processes names it; with a mark, that is a word of it.
   */
  forCall(callId?: string, limits?: Limits, mark?: string): CommandRunner & Disposable;
  /** Creates the runner of one job, whose commands take permits of jobs. */
  forJob(job: JobRunOptions): JobRunner;
  /** How many jobs that wait for a permit could get one at once. */
  jobRoom(): number;
  /**
   * Ends every process that carries a mark, but for this one: SIGTERM, 2 s, SIGKILL. Resolves with
   * those that are left; never rejects.
   */
  endMarked(mark: string): Promise<Ending>;
  /** How many commands run, and how many wait for a permit. */
  load(): { runs: number; queue: number };
  /**
   * Resolves when no background process is still being killed, no shell waits for a command, and
   * none is kept; for the server's shutdown.
   */
  idle(): Promise<void>;
}

/** Creates the pool of a server, which bounds how many commands run and wait at once. */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunnerPool {
  const { limits, env, log, meter, groups } = options;
  const semaphore = new Semaphore({ permits: limits.maxRuns, queue: limits.maxQueue });
  const pending = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  const table = createProcessTable(env.PATH ?? "");
  const base = toBaseEnv(env);
  const shells = groups === undefined ? undefined : new WaitingShells({ groups, env: base, log });
  const programs = new ProgramFinder();
  const parts: RunParts = { limits, env: base, table, log, meter, track, groups, shells, programs };
  return {
    forCall: (callId, own = limits, mark = undefined) => {
      const words = mark === undefined ? [] : [mark];
      return new CallRunner(new CallPermit(semaphore), { ...parts, limits: own, callId, words });
    },
    forJob: ({ priority, mark, ...job }) => {
      const marks = { mark, words: [mark] };
      return new CallRunner(new CallPermit(semaphore, priority), { ...parts, ...job, ...marks });
    },
    jobRoom: () => semaphore.jobRoom,
    endMarked: async (mark) => {
      const find = async () => (await table.marked(mark)).filter(({ pid }) => pid !== Deno.pid);
      const end = async () => {
        const known = await find();
        return await endProcesses({ known, find, target: ({ pid }) => pid });
      };
      try {
        const [ending, others = []] = await Promise.all([
          end(),
          groups && endMarked(groups.place, mark),
        ]);
        return { ...ending, left: mergeProcesses(ending.left, others) };
      } catch (error) {
        return { left: [], error };
      }
    },
    load: () => ({ runs: semaphore.taken, queue: semaphore.waiting + semaphore.waitingJobs }),
    idle: async () => {
      while (pending.size > 0) await Promise.allSettled(pending);
      await shells?.close();
      await table[Symbol.asyncDispose]();
    },
  };
}

class CallRunner implements CommandRunner, JobRunner {
  readonly #permits: CallPermit;
  #parts: RunParts;

  constructor(permits: CallPermit, parts: RunParts) {
    this.#permits = permits;
    this.#parts = parts;
  }

  async run(spec: CommandSpec, options: RunOptions): Promise<ExecutionResult> {
    ensureRunnable(spec);
    const permit = await this.#permits.acquire(options.signal);
    try {
      options.signal.throwIfAborted();
      return await runToEnd(spec, options, this.#partsFor(spec));
    } finally {
      this.#permits.release(permit, options);
    }
  }

  async ready(signal: AbortSignal): Promise<void> {
    this.#permits.release(await this.#permits.acquire(signal));
  }

  forCall(callId: string, limits: Limits): CommandRunner {
    this.#parts = { ...this.#parts, limits, callId };
    return this;
  }

  /** The first command that needs it gets the input and the terminal, unless it can't be started. */
  #partsFor({ stdin }: CommandSpec): RunParts {
    const { input, terminal, ...rest } = this.#parts;
    if (input === undefined || stdin !== undefined) return rest;
    const own = { ...rest, input, terminal };
    this.#parts = rest;
    return { ...own, onNotStarted: () => this.#parts = own };
  }

  [Symbol.dispose](): void {
    this.#permits[Symbol.dispose]();
  }
}

const SECRET = /^(MCP_.*|PG.*|DATABASE_URL|.*PASSPHRASE.*|OTEL_.*HEADERS)$/i;

/** Nobody sits at the terminal of a command: nothing may wait for a password, a pager or an editor. */
const UNATTENDED: Env = Object.freeze({
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  PAGER: "cat",
  DEBIAN_FRONTEND: "noninteractive",
});

/**
 * Removes the server's own settings and secrets from its environment: every `MCP_*` and `PG*`,
 * `DATABASE_URL`, the credentials of an OpenTelemetry collector, and whatever is named like a
 * passphrase. The cookie of an outer server stays, so that it still finds what this server starts.
 * Adds what keeps programs from asking.
 */
export function toBaseEnv(env: Env): Env {
  const kept = Object.entries(env).filter(([name]) => name === RUN_COOKIE || !SECRET.test(name));
  return { ...Object.fromEntries(kept), ...UNATTENDED };
}
