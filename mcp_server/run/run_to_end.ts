import type { CommandSpec, ExecutionResult, HeldFolder, RunOptions } from "../tool/command.ts";
import { firstOf, type RunEnd } from "../shared/deadline.ts";
import { ToolError } from "../shared/error.ts";
import { clamp, type Limits } from "../shared/limits.ts";
import { fitOutputs } from "../shared/output_capture.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { type ChildIo, openChildIo } from "./child_io.ts";
import type { CommandInput } from "./command_input.ts";
import { type ContainedRun, type ContainParts, startContained } from "./contained_run.ts";
import { drainOutput, untilQuiet } from "./drain_output.ts";
import { type StopParts, stopRun } from "./end_processes.ts";
import type { ProcessTable, RunMark } from "./live_process.ts";
import { ensureLaunched, type StartOptions, toChildEnv, toStartError } from "./start_child.ts";
import { ensureStarted, toUserEnv, toUserStart } from "./user_launch.ts";

/** How long the output of a stopped run may take to end: whatever still holds it can't be found. */
const CLOSE_MS = 250;

/** What one command is run with. */
export interface RunParts extends ContainParts {
  readonly limits: Limits;
  readonly table: ProcessTable;
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
  const startAs = { cookie, stdin: Boolean(stdin), user: options.user, signal };
  const contained = await start(spec, startAs, parts);
  const { child, table, kill } = contained;
  const { limit, most } = toOutputBounds(spec, limits);
  const io = openChildIo(child, { limit, stdin, onOutput, log });
  try {
    const end = await untilEnd(child, { signal, timeoutMs: toTimeoutMs(spec, options, limits) });
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
    const start = await toUserStart(user, spec, { ...options, folder: folder?.realPath });
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
