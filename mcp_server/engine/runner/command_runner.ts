import type { Caller } from "../../domain/caller.ts";
import type {
  CommandRunner,
  CommandSpec,
  ExecutionResult,
  HeldFolder,
  RunOptions,
} from "../../domain/command.ts";
import { ToolError } from "../../domain/error.ts";
import { firstOf, type RunEnd } from "../../domain/deadline.ts";
import { clamp, type Limits } from "../../domain/limits.ts";
import type { Log } from "../../domain/log.ts";
import type { RunAsUser } from "../../domain/run_as.ts";
import type { Meter } from "../../domain/meter.ts";
import { fitOutputs } from "../../domain/output_capture.ts";
import { limitsOf } from "../caller_limits.ts";
import type { CommandGroups } from "../cgroups/command_groups.ts";
import { toJobLimits } from "../job_limits.ts";
import { type ChildIo, openChildIo } from "./child_io.ts";
import type { CommandInput } from "./command_input.ts";
import { drainOutput, untilQuiet } from "./drain_output.ts";
import { type Ending, endProcesses, type StopParts, stopRun } from "./end_processes.ts";
import { mergeProcesses, type ProcessTable, type RunMark } from "./live_process.ts";
import { createProcessTable } from "./process_table.ts";
import { type ContainedRun, type ContainParts, startContained } from "./contained_run.ts";
import { ProgramFinder } from "./program_finder.ts";
import { CallPermit, type Priority, Semaphore } from "./semaphore.ts";
import {
  ensureLaunched,
  ensureRunnable,
  type Env,
  type StartOptions,
  toBaseEnv,
  toChildEnv,
  toStartError,
} from "./start_child.ts";
import { ensureStarted, toUserEnv, toUserStart } from "./user_launch.ts";
import { WaitingShells } from "./waiting_shells.ts";

/** What commands are run with. */
export interface CommandRunnerOptions {
  readonly limits: Limits;
  /** The server's environment; children get it without the server's own settings and secrets. */
  readonly env: Env;
  readonly log: Log;
  readonly meter?: Pick<Meter, "stopped">;
  /** The control groups of commands. @default {none: a variable alone identifies processes} */
  readonly groups?: CommandGroups | undefined;
}

/** What distinguishes the commands of a job from those of a call. */
export interface JobRunOptions {
  /** Its rights bound the time-outs. */
  readonly caller: Caller;
  readonly priority: Priority;
  /** A word in the environment of all processes of the job. */
  readonly mark: string;
  /** Input for the first command that has no input of its own. */
  readonly input: CommandInput | undefined;
}

/** Runs the commands of a job. */
export interface JobRunner extends CommandRunner, Disposable {
  /** Resolves once the job has the permit of its first command; rejects as the semaphore does. */
  ready(signal: AbortSignal): Promise<void>;
}

/** The permits for commands, shared by all calls of a server. */
export interface CommandRunnerPool {
  /**
   * Creates the runner of one call of a caller. The call keeps the permit of its first command, so that its
   * next ones are not rejected as busy; the permit is free again once the runner is disposed of.
   */
  forCall(caller: Caller): CommandRunner & Disposable;
  /** Creates the runner of one job, whose commands take permits and time-outs of jobs. */
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
   * Resolves when no background process is still being killed and no shell waits for a command; for
   * the server's shutdown.
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
  const jobParts: RunParts = { ...parts, limits: toJobLimits(limits) };
  return {
    forCall: (caller) => new CallRunner(new CallPermit(semaphore), boundBy(caller, parts)),
    forJob: ({ caller, priority, ...job }) =>
      new CallRunner(new CallPermit(semaphore, priority), { ...boundBy(caller, jobParts), ...job }),
    jobRoom: () => semaphore.jobRoom,
    endMarked: async (mark) => {
      const find = async () => (await table.marked(mark)).filter(({ pid }) => pid !== Deno.pid);
      const end = async () => {
        const known = await find();
        return await endProcesses({ known, find, target: ({ pid }) => pid });
      };
      try {
        const [ending, others = []] = await Promise.all([end(), groups?.endMarked(mark)]);
        return { ...ending, left: mergeProcesses(ending.left, others) };
      } catch (error) {
        return { left: [], error };
      }
    },
    load: () => ({ runs: semaphore.taken, queue: semaphore.waiting + semaphore.waitingJobs }),
    idle: async () => {
      while (pending.size > 0) await Promise.allSettled(pending);
      await shells?.close();
    },
  };
}

function boundBy(caller: Caller, parts: RunParts): RunParts {
  const limits = limitsOf(parts.limits, caller);
  return limits === parts.limits ? parts : { ...parts, limits };
}

class CallRunner implements JobRunner {
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

  /** The first command that needs it gets the input, unless it can't be started. */
  #partsFor({ stdin }: CommandSpec): RunParts {
    const { input, ...rest } = this.#parts;
    if (input === undefined || stdin !== undefined) return rest;
    this.#parts = rest;
    return { ...rest, input, onNotStarted: () => this.#parts = { ...rest, input } };
  }

  [Symbol.dispose](): void {
    this.#permits[Symbol.dispose]();
  }
}

/** How long the output of a stopped run may take to end: whatever still holds it can't be found. */
const CLOSE_MS = 250;

/** What commands are run with. */
interface RunParts extends ContainParts {
  readonly limits: Limits;
  readonly table: ProcessTable;
  readonly meter?: StopParts["meter"];
  /** Keeps track of what continues after the answer. */
  readonly track: (work: Promise<void>) => void;
  /** Input for the command if it has no input of its own; it is read only if the command starts. */
  readonly input?: CommandInput | undefined;
  /** Called if the command can't be started, so that the next one gets the input. */
  readonly onNotStarted?: () => void;
}

/** Runs one command to its end, as {@linkcode CommandRunner.run} promises, with or without a permit. */
async function runToEnd(
  spec: CommandSpec,
  options: RunOptions,
  parts: RunParts,
): Promise<ExecutionResult> {
  const { limits, log } = parts;
  const { signal, onOutput } = options;
  const id = crypto.randomUUID();
  const cookie = parts.mark === undefined ? id : `${parts.mark} ${id}`;
  const stdin = spec.stdin ?? parts.input;
  const startAs = { cookie, stdin: Boolean(stdin), user: options.user, signal };
  const contained = await start(spec, startAs, parts);
  const { child, table, kill } = contained;
  const most = clamp(spec.maxResultBytes, limits.maxResultBytes, limits.maxResultBytes);
  const limit = Math.min(
    clamp(spec.maxOutputBytes, limits.outputBytes, limits.maxOutputBytes),
    most,
  );
  const io = openChildIo(child, { limit, stdin, onOutput, log });
  const timeoutMs = options.helper === true && spec.timeoutMs === undefined
    ? undefined
    : clamp(spec.timeoutMs, limits.timeoutMs, limits.maxTimeoutMs);
  try {
    const end = await untilEnd(child, { signal, timeoutMs });
    const run = { id, group: child.pid };
    const own = { ...parts, table, kill };
    const backgroundEnded = end === "ended" ? await drainOutput(io, run, own) : 0;
    if (end !== "ended") await stop(io, run, own);
    const status = await child.status;
    const oomKilled = status.signal === "SIGKILL" && await contained.wasOutOfMemory();
    await contained.settle();
    if (end === "aborted") throw signal.reason;
    const outputs = fitOutputs(io, most);
    if (options.user !== undefined && end === "ended") {
      ensureStarted(spec, options.user, { ...outputs, exitCode: status.code, id });
    }
    const result = toResult(status, outputs, {
      timedOut: end === "timedOut",
      oomKilled,
      backgroundEnded,
    });
    await ensureLaunched(result, spec, { mark: contained.mark, path: parts.env.PATH });
    return result;
  } finally {
    io.mute();
  }
}

/** Who a command runs as, and with what. */
interface StartAs {
  /** What marks the command's processes. */
  readonly cookie: string;
  /** Whether it has input. */
  readonly stdin: boolean;
  readonly user: RunAsUser | undefined;
  /** Stops the wait for its folder. */
  readonly signal: AbortSignal;
}

async function start(
  spec: CommandSpec,
  { cookie, stdin, user, signal }: StartAs,
  parts: RunParts,
): Promise<ContainedRun> {
  const env = user === undefined
    ? toChildEnv(parts.env, cookie, spec.env)
    : toChildEnv(toUserEnv(parts.env, user), cookie);
  const options = { env, stdin };
  try {
    if (spec.holdCwd === undefined) return await launch(spec, options, { user, parts });
    await using folder = await spec.holdCwd(signal);
    signal.throwIfAborted();
    return await launch(spec, { ...options, folder }, { user, parts });
  } catch (cause) {
    parts.onNotStarted?.();
    signal.throwIfAborted();
    if (cause instanceof ToolError) throw cause;
    throw await toStartError(cause, spec, spec.env?.PATH ?? env.PATH ?? "");
  }
}

async function launch(
  spec: CommandSpec,
  { folder, ...options }: StartOptions & { readonly folder?: HeldFolder },
  { user, parts }: { readonly user: RunAsUser | undefined; readonly parts: RunParts },
): Promise<ContainedRun> {
  if (user !== undefined) {
    const start = toUserStart(user, spec, { ...options, folder: folder?.realPath });
    const { env, ...own } = start;
    return await startContained(own, { ...options, env }, parts);
  }
  if (folder === undefined) return await startContained(spec, options, parts);
  // It is held only until the child has started there, which a shell that waits is too slow for.
  const held = { ...spec, cwd: folder.path };
  return await startContained(held, options, { ...parts, shells: undefined });
}

/** Waits for the first of the three ways in which a run can end. */
async function untilEnd(
  child: Deno.ChildProcess,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number | undefined },
): Promise<RunEnd> {
  using deadline = firstOf({ signal, timeoutMs });
  return await Promise.race([deadline.expired, child.status.then((): RunEnd => "ended")]);
}

async function stop(io: ChildIo, run: RunMark, parts: StopParts): Promise<void> {
  try {
    await stopRun(run, parts);
    await untilQuiet(io, CLOSE_MS);
  } finally {
    await io.close();
  }
}

function toResult(
  { code, signal }: Deno.CommandStatus,
  { stdout, stderr, truncated }: ReturnType<typeof fitOutputs>,
  { timedOut, oomKilled, backgroundEnded }: {
    readonly timedOut: boolean;
    readonly oomKilled: boolean;
    readonly backgroundEnded: number;
  },
): ExecutionResult {
  return {
    stdout,
    stderr,
    exitCode: code,
    timedOut,
    ...(truncated ? { truncated } : {}),
    ...(signal === null ? {} : { signal }),
    ...(oomKilled ? { oomKilled } : {}),
    ...(backgroundEnded > 0 ? { backgroundEnded } : {}),
  };
}
