import type {
  CommandRunner,
  CommandSpec,
  ExecutionResult,
  RunOptions,
} from "../../domain/command.ts";
import type { Limits } from "../../domain/limits.ts";
import type { Log } from "../../domain/log.ts";
import { createProcessTable } from "./process_table.ts";
import { runCommand, type RunParts } from "./run_command.ts";
import { CallPermit, Semaphore } from "./semaphore.ts";
import { ensureRunnable, type Env, toBaseEnv } from "./start_child.ts";

/** What the server runs commands with. */
export interface CommandRunnerOptions {
  readonly limits: Limits;
  /** The server's environment; children get it without the server's own settings and secrets. */
  readonly env: Env;
  readonly log: Log;
}

/** The permits for commands, over the whole server. */
export interface CommandRunnerPool {
  /**
   * Creates the runner of one call. The call keeps the permit of its first command, so that its
   * next ones are not rejected as busy; the permit is free again once the runner is disposed of.
   */
  forCall(): CommandRunner & Disposable;
  /** Resolves when no background process is still being killed; for the server's shutdown. */
  idle(): Promise<void>;
}

/** Creates the one pool of a server, which bounds how many commands run and wait at once. */
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
      return await runCommand(spec, options, this.#parts);
    } finally {
      this.#permits.release(permit);
    }
  }

  [Symbol.dispose](): void {
    this.#permits[Symbol.dispose]();
  }
}
