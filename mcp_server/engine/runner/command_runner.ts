import type {
  CommandRunner,
  CommandSpec,
  ExecutionResult,
  RunOptions,
} from "../../domain/command.ts";
import { firstOf, type RunEnd, within } from "../../domain/deadline.ts";
import { clamp, type Limits } from "../../domain/limits.ts";
import type { Log } from "../../domain/log.ts";
import { fitOutputs } from "../../domain/output_capture.ts";
import { type ChildIo, openChildIo } from "./child_io.ts";
import { drainOutput } from "./drain_output.ts";
import { stopRun } from "./end_processes.ts";
import type { ProcessTable, RunMark } from "./live_process.ts";
import { createProcessTable } from "./process_table.ts";
import { CallPermit, Semaphore } from "./semaphore.ts";
import {
  ensureRunnable,
  type Env,
  startChild,
  toBaseEnv,
  toChildEnv,
  toStartError,
} from "./start_child.ts";

/** What commands are run with. */
export interface CommandRunnerOptions {
  readonly limits: Limits;
  /** The server's environment; children get it without the server's own settings and secrets. */
  readonly env: Env;
  readonly log: Log;
}

/** The permits for commands, shared by all calls of a server. */
export interface CommandRunnerPool {
  /**
   * Creates the runner of one call. The call keeps the permit of its first command, so that its
   * next ones are not rejected as busy; the permit is free again once the runner is disposed of.
   */
  forCall(): CommandRunner & Disposable;
  /** Resolves when no background process is still being killed; for the server's shutdown. */
  idle(): Promise<void>;
}

/** Creates the pool of a server, which bounds how many commands run and wait at once. */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunnerPool {
  const { limits, env, log } = options;
  const semaphore = new Semaphore({ permits: limits.maxRuns, queue: limits.maxQueue });
  const pending = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => pending.delete(tracked));
    pending.add(tracked);
  };
  const table = createProcessTable(env.PATH ?? "");
  const parts: RunParts = { limits, env: toBaseEnv(env), table, log, track };
  return {
    forCall: () => new CallRunner(new CallPermit(semaphore), parts),
    idle: async () => {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}

class CallRunner implements CommandRunner, Disposable {
  readonly #permits: CallPermit;
  readonly #parts: RunParts;

  constructor(permits: CallPermit, parts: RunParts) {
    this.#permits = permits;
    this.#parts = parts;
  }

  async run(spec: CommandSpec, options: RunOptions): Promise<ExecutionResult> {
    ensureRunnable(spec);
    const permit = await this.#permits.acquire(options.signal);
    try {
      options.signal.throwIfAborted();
      return await runToEnd(spec, options, this.#parts);
    } finally {
      this.#permits.release(permit);
    }
  }

  [Symbol.dispose](): void {
    this.#permits[Symbol.dispose]();
  }
}

/** How long the output of a stopped run may take to end: whatever still holds it can't be found. */
const CLOSE_MS = 250;

/** What commands are run with. */
interface RunParts {
  readonly limits: Limits;
  /** The environment that children inherit, without the server's secrets. */
  readonly env: Env;
  readonly table: ProcessTable;
  readonly log: Log;
  /** Keeps track of what continues after the answer. */
  readonly track: (work: Promise<void>) => void;
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
  const child = await start(spec, toChildEnv(parts.env, id, spec.env));
  const most = clamp(spec.maxResultBytes, limits.maxResultBytes, limits.maxResultBytes);
  const limit = Math.min(
    clamp(spec.maxOutputBytes, limits.outputBytes, limits.maxOutputBytes),
    most,
  );
  const io = openChildIo(child, { limit, stdin: spec.stdin, onOutput, log });
  const timeoutMs = clamp(spec.timeoutMs, limits.timeoutMs, limits.maxTimeoutMs);
  try {
    const end = await untilEnd(child, { signal, timeoutMs });
    const run = { id, group: child.pid };
    const backgroundEnded = end === "ended" ? await drainOutput(io, run, parts) : 0;
    if (end !== "ended") await stop(io, run, parts);
    if (end === "aborted") throw signal.reason;
    const outputs = fitOutputs(io, most);
    return toResult(await child.status, outputs, {
      timedOut: end === "timedOut",
      backgroundEnded,
    });
  } finally {
    io.mute();
  }
}

async function start(spec: CommandSpec, env: Record<string, string>): Promise<Deno.ChildProcess> {
  try {
    return startChild(spec, env);
  } catch (cause) {
    throw await toStartError(cause, spec, env.PATH ?? "");
  }
}

/** Waits for the first of the three ways in which a run can end. */
async function untilEnd(
  child: Deno.ChildProcess,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<RunEnd> {
  using deadline = firstOf({ signal, timeoutMs });
  return await Promise.race([deadline.expired, child.status.then((): RunEnd => "ended")]);
}

async function stop(io: ChildIo, run: RunMark, parts: RunParts): Promise<void> {
  try {
    await stopRun(run, parts);
    await within(io.ended, CLOSE_MS);
  } finally {
    await io.close();
  }
}

function toResult(
  { code, signal }: Deno.CommandStatus,
  { stdout, stderr, truncated }: ReturnType<typeof fitOutputs>,
  { timedOut, backgroundEnded }: { timedOut: boolean; backgroundEnded: number },
): ExecutionResult {
  return {
    stdout,
    stderr,
    exitCode: code,
    timedOut,
    ...(truncated ? { truncated } : {}),
    ...(signal === null ? {} : { signal }),
    ...(backgroundEnded > 0 ? { backgroundEnded } : {}),
  };
}
