import type {
  CommandSpec,
  ExecutionResult,
  OutputSoFar,
  RunOptions,
  TerminalSize,
} from "../tool/command.ts";
import { clamp, toEndedCommand } from "../tool/ended_command.ts";
import { firstOf, type RunEnd, untilEnd, type WaitBounds, within } from "../shared/concurrency.ts";
import type { Limits } from "../shared/limits.ts";
import { fitOutputs } from "../shared/output_capture.ts";
import { type ChildIo, type CommandInput, openChildIo } from "./child_io.ts";
import { endProcesses, type StopParts, stopRun } from "./end_processes.ts";
import { createLaunch, type LaunchParts } from "./launch.ts";
import type { ProcessTable, RunMark } from "./process_table.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { LiveProcess } from "./proc_format.ts";

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

/** How long output is read that continues to arrive. */
const MOST_DRAIN_MS = 30_000;

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
    parts.track(endHolders(holders, io, { ...parts, run }));
    await untilQuiet(io, ENDING_MS);
  } else {
    // On a busy machine the end of the output may just be late.
    await untilQuiet(io, DRAIN_MS);
    await io.close();
  }
  return holders.length;
}

/** A timer that fires so much later than it was set shows that this process could not read either. */
const LATE_MS = 50;

/**
 * Resolves when the output has ended, or once none has arrived for so long: not while a listener
 * delays it, or this process had no time to read it. Waits for half a minute at most.
 */
async function untilQuiet(io: Pick<ChildIo, "ended" | "pieces">, ms: number): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  for (let pause = ms; elapsed() < MOST_DRAIN_MS;) {
    const [before, since] = [io.pieces(), elapsed()];
    if (await within(io.ended, pause)) return;
    const isQuiet = before !== undefined && before === io.pieces();
    const isLate = elapsed() - since >= pause + LATE_MS;
    if (isQuiet && !isLate) return;
    pause = isQuiet ? LATE_MS : ms;
  }
}

async function endHolders(
  known: readonly LiveProcess[],
  io: ChildIo,
  { run, table, log }: DrainParts & { run: RunMark },
): Promise<void> {
  let ended = false;
  io.ended.then(() => ended = true);
  const { left, error } = await endProcesses({
    known,
    find: async () => ended ? [] : await table.holders(run),
    target: ({ pid }) => pid,
  });
  await untilQuiet(io, DRAIN_MS);
  await io.close();
  if (left.length === 0) return;
  const reason = messageOf(error ?? "they do not end");
  const pids = left.map(({ pid }) => pid);
  log.error("processes that hold the output of a command are left", { left: pids, reason });
}

async function findHolders(run: RunMark, { table, log }: DrainParts): Promise<LiveProcess[]> {
  try {
    return await table.holders(run);
  } catch (error) {
    log.error("background processes can't be looked up", { error: messageOf(error) });
    return [];
  }
}
