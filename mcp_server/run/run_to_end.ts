import type { CommandSpec, ExecutionResult, RunOptions } from "../tool/command.ts";
import { firstOf, type RunEnd } from "../shared/deadline.ts";
import { clamp, type Limits } from "../shared/limits.ts";
import { fitOutputs } from "../shared/output_capture.ts";
import { type ChildIo, type CommandInput, openChildIo } from "./child_io.ts";
import { drainOutput, untilQuiet } from "./drain_output.ts";
import { type StopParts, stopRun } from "./end_processes.ts";
import { createLaunch, type LaunchParts } from "./launch.ts";
import type { RunMark } from "./process_table.ts";

/** How long the output of a stopped run may take to end: whatever still holds it can't be found. */
const CLOSE_MS = 250;

/** What one command is run with. */
export interface RunParts extends LaunchParts {
  readonly limits: Limits;
  readonly meter?: StopParts["meter"];
  /** The id of the call, also in the environment of the command's processes. */
  readonly callId?: string | undefined;
  /** Keeps track of what continues after the answer. */
  readonly track: (work: Promise<void>) => void;
  /** Input for the command if it has no input of its own; it is read only if the command starts. */
  readonly input?: CommandInput | undefined;
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
  const { signal, onOutput } = options;
  const id = crypto.randomUUID();
  const cookie = [parts.mark, parts.callId, id].filter((word) => word !== undefined).join(" ");
  const stdin = spec.stdin ?? parts.input;
  const launch = createLaunch(
    spec,
    { id, cookie, stdin: Boolean(stdin), user: options.user },
    parts,
  );
  const started = await launch.start(signal).catch((error) => {
    parts.onNotStarted?.();
    throw error;
  });
  const { child, table, kill } = started;
  const { limit, most } = toOutputBounds(spec, limits);
  const io = openChildIo(child, { limit, stdin, onOutput, log });
  try {
    const end = await untilEnd(child, { signal, timeoutMs: toTimeoutMs(spec, options, limits) });
    const run = { id, group: child.pid };
    const own = { ...parts, table, kill };
    const backgroundEnded = end === "ended" ? await drainOutput(io, run, own) : 0;
    if (end !== "ended") await stop(io, run, own);
    const status = await child.status;
    const oomKilled = status.signal === "SIGKILL" && await started.wasOutOfMemory();
    await started.settle();
    if (end === "aborted") throw signal.reason;
    const { stdout, stderr, truncated } = fitOutputs(io, most);
    const exitCode = status.code;
    const failure = await launch.explain({ exitCode, stderr });
    if (failure !== undefined) throw failure;
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
