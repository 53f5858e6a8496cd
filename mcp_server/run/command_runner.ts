import type {
  CommandRunner,
  CommandSpec,
  ExecutionResult,
  OutputSoFar,
  RunOptions,
  TerminalSize,
} from "../tool/command.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import { firstOf, type WaitBounds, within } from "../shared/concurrency.ts";
import { CallPermit, type Priority, Semaphore } from "../shared/semaphore.ts";
import type { Meter } from "../tool/service.ts";
import { WaitingShells } from "./child.ts";
import { type Env, toBaseEnv } from "../shared/environment.ts";
import { type ChildIo, type CommandInput, openChildIo, untilQuiet } from "./child_io.ts";
import type { CommandGroups } from "./command_groups.ts";
import {
  endHolders,
  type Ending,
  endMarked,
  findHolders,
  type StopParts,
  stopRun,
} from "./end_processes.ts";
import { createLaunch, ensureRunnable, type LaunchParts, ProgramFinder } from "./launch.ts";
import { createProcessTable, type ProcessTable, type RunMark } from "./process_table.ts";
import {
  clamp,
  fitOutputs,
  type RunEnd,
  toEndedCommand,
  untilEnd,
} from "../tool/command_output.ts";

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
    endMarked: (mark) => endMarked(mark, { table, place: groups?.place }),
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

/** How long the output of a stopped run may take to end: whatever still holds it can't be found. */
const CLOSE_MS = 250;

/** What one command is run with. */
export interface RunParts extends LaunchParts {
  readonly limits: Limits;
  readonly meter?: StopParts["meter"];
  /** What marks the command's processes besides: the mark of their job. */
  readonly words?: readonly string[];
  /** The id of the call, also in the environment of the command's processes. */
  readonly callId?: string | undefined;
  /** Keeps track of what continues after the answer. */
  readonly track: (work: Promise<void>) => void;
  /** Input for the command if it has no input of its own; it is read only if the command starts. */
  readonly input?: CommandInput | undefined;
  /** The terminal of that command. @default {none} */
  readonly terminal?: TerminalSize | undefined;
  /** Called if the command can't be started, so that the next one gets the input. */
  readonly onNotStarted?: () => void;
}

/** Runs one command to its end, as {@linkcode CommandRunner.run} promises, with or without a permit. */
export async function runToEnd(
  spec: CommandSpec,
  options: RunOptions,
  parts: RunParts,
): Promise<ExecutionResult> {
  const { limits, log } = parts;
  const { signal, onOutput, mask } = options;
  const id = crypto.randomUUID();
  const { words = [], callId } = parts;
  const cookie = [...words, callId, id].filter((word) => word !== undefined).join(" ");
  const stdin = spec.stdin ?? parts.input;
  const launch = createLaunch(
    spec,
    { id, cookie, stdin: Boolean(stdin), user: options.user, terminal: parts.terminal },
    parts,
  );
  const started = await launch.start(signal).catch((error) => {
    parts.onNotStarted?.();
    throw error;
  });
  const { child, table, kill } = started;
  const { limit, most } = toOutputBounds(spec, limits);
  const io = openChildIo(child, { limit, stdin, onOutput, mask, log });
  try {
    const { onTimeout } = options;
    const end = await untilEnd((bounds) => firstEnd(child, bounds), {
      signal,
      timeoutMs: toTimeoutMs(spec, options, limits),
      mostMs: limits.maxTimeoutMs,
      goesOn: onTimeout && (() => onTimeout(toSoFar(io, most))),
    });
    const run = { id, group: child.pid };
    const own = { ...parts, table, kill };
    const backgroundEnded = end === "ended" ? await drainOutput(io, run, own) : 0;
    if (end !== "ended") await stop(io, run, own);
    const status = await child.status;
    const oomKilled = status.signal === "SIGKILL" && await started.wasOutOfMemory();
    await started.settle();
    const exitCode = status.code;
    if (end === "aborted") {
      options.onEnd?.({ end: "stopped", exitCode });
      throw signal.reason;
    }
    // What is shown of a value that is cut here must not be followed by the rest.
    io.mute();
    const { stdout, stderr, truncated } = fitOutputs(io, most);
    const failure = await launch.explain({ exitCode, stderr });
    if (failure !== undefined) throw failure;
    options.onEnd?.(toEndedCommand({ exitCode, timedOut: end === "timedOut", oomKilled }));
    return {
      stdout,
      stderr,
      exitCode,
      timedOut: end === "timedOut",
      ...(truncated && { truncated }),
      ...(status.signal !== null && { signal: status.signal }),
      ...(oomKilled && { oomKilled }),
      ...(backgroundEnded > 0 && { backgroundEnded }),
    };
  } finally {
    io.mute();
  }
}

/** How many bytes are kept of each stream, and of both together. */
function toOutputBounds(spec: CommandSpec, limits: Limits): { limit: number; most: number } {
  const most = clamp(spec.maxResultBytes, limits.maxResultBytes, limits.maxResultBytes);
  const perStream = clamp(spec.maxOutputBytes, limits.outputBytes, limits.maxOutputBytes);
  return { limit: Math.min(perStream, most), most };
}

/** A helper without a time-out of its own runs until its call ends. */
function toTimeoutMs(
  { timeoutMs }: CommandSpec,
  { helper }: RunOptions,
  limits: Limits,
): number | undefined {
  if (helper === true && timeoutMs === undefined) return undefined;
  return clamp(timeoutMs, limits.timeoutMs, limits.maxTimeoutMs);
}

/** Waits for the first of the three ways in which a run can end. */
async function firstEnd(child: Deno.ChildProcess, bounds: WaitBounds): Promise<RunEnd> {
  using deadline = firstOf(bounds);
  return await Promise.race([deadline.expired, child.status.then((): RunEnd => "ended")]);
}

/** What a command has written, as its result would have it. */
function toSoFar(io: ChildIo, most: number): OutputSoFar {
  const { stdout, stderr, truncated } = fitOutputs(io, most);
  return { stdout, stderr, ...(truncated && { truncated }) };
}

async function stop(io: ChildIo, run: RunMark, parts: StopParts): Promise<void> {
  try {
    await stopRun(run, parts);
    await untilQuiet(io, CLOSE_MS);
  } finally {
    await io.close();
  }
}

/** How long the output may take to end once the program has ended. */
const DRAIN_MS = 250;

/** How much longer the answer waits for background processes to end. */
const ENDING_MS = 300;

/** What output is drained with. */
interface DrainParts {
  readonly table: ProcessTable;
  readonly log: Log;
  /** Keeps track of what continues after the answer. */
  readonly track: (work: Promise<void>) => void;
}

/**
 * Waits for the rest of the output of a program that has ended, and resolves with the number of
 * background processes that were killed for it.
 *
 * The rule: output that is still open 250 ms after the program has ended is held open by a process
 * in the background, such as `sleep 300 &`, whose output nobody can read any more. The run's
 * processes that hold it are killed (SIGTERM, 2 s, SIGKILL); the answer waits for that until no
 * output has arrived for 300 ms. A background process that sent its output elsewhere
 * (`daemon > log 2>&1 &`) is left alone, even if it holds the run's input: it does not get what it has
 * not read by then.
 */
async function drainOutput(io: ChildIo, run: RunMark, parts: DrainParts): Promise<number> {
  const drained = within(Promise.all([io.ended, io.fed]), DRAIN_MS);
  if (await within(io.ended, DRAIN_MS)) {
    if (!await drained) await io.close();
    return 0;
  }
  const holders = await findHolders(run, parts);
  if (holders.length > 0) {
    const settle = async () => {
      await untilQuiet(io, DRAIN_MS);
      await io.close();
    };
    parts.track(endHolders(holders, run, { ...parts, ended: io.ended, settle }));
    await untilQuiet(io, ENDING_MS);
  } else {
    // On a busy machine the end of the output may just be late.
    await untilQuiet(io, DRAIN_MS);
    await io.close();
  }
  return holders.length;
}
