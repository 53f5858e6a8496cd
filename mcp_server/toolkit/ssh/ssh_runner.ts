import * as z from "zod";
import type { SecretMask } from "../../access/secret_mask.ts";
import { clamp } from "../../shared/limits.ts";
import type { OutputEvent } from "../../tool/command.ts";
import { ResultBudget } from "../../tool/result.ts";
import type { ToolContext, ToolExtra } from "../../tool/tool.ts";
import { runRemote } from "./remote_command.ts";
import type { Connection } from "./connection.ts";
import type { RemotePlace } from "./exec_line.ts";
import { NOT_RUN, type OutputListener, type RemoteResult } from "./remote_output.ts";
import {
  type HostError,
  type HostLogin,
  onHosts,
  type SshCall,
  type SshHost,
  type SshService,
  useSshService,
} from "./ssh_service.ts";

/** The commands of a call for one host. */
export interface HostCommands extends HostLogin, RemotePlace {
  /** The commands for the login shell, in order. */
  readonly commands: readonly string[];
  /** Names of secrets that each command gets as variables. @default {none} */
  readonly secrets?: readonly string[] | undefined;
  /** The standard input of each command, followed by its end. @default {none} */
  readonly stdin?: string | undefined;
  /** Whether the commands after one that fails or times out are left out. @default {false} */
  readonly stopOnError?: boolean | undefined;
}

/** The results of one host's commands. */
export type HostResult = {
  /** The host as the call writes it. */
  host: string;
  /** The account that was used. */
  username: string;
  /** One result for each command, in order; none for those that `stopOnError` leaves out. */
  results: RemoteResult[];
  /** How many commands `stopOnError` left out, if any. */
  leftOut?: number;
  /** Why the host failed, if it did. */
  error?: HostError;
};

/** An object without its keys, because they are the same as in `exec-command`. */
export type AnyObject = z.ZodObject<Record<never, never>, z.core.$loose>;

/** The shape of {@linkcode HOST_RESULT}. */
export type HostShape = {
  host: z.ZodString;
  username: z.ZodString;
  results: z.ZodArray<AnyObject>;
  leftOut: z.ZodOptional<z.ZodInt>;
  error: z.ZodOptional<AnyObject>;
};

/** The schema of a `HostResult`. */
export const HOST_RESULT: HostShape = {
  host: z.string(),
  username: z.string(),
  results: z.array(z.looseObject({})),
  leftOut: z.int().optional(),
  error: z.looseObject({}).optional(),
};

/** The limits that a call may set for each of its commands. */
export interface SshOptions {
  /** Time-out of each command in milliseconds, clamped to the server's limit. @default {30_000} */
  readonly timeoutMs?: number;
  /** Bytes kept of each output stream, clamped to the server's limit. @default {131_072} */
  readonly maxOutputBytes?: number;
}

/**
 * Runs the commands of one call on its hosts; on none of them if one, or a secret, is not allowed to
 * the caller.
 */
export type SshRunner = (
  connections: readonly HostCommands[],
  extra: Pick<ToolExtra, "caller" | "signal" | "output" | "limits" | "commands" | "secrets">,
  options?: SshOptions,
) => Promise<HostResult[]>;

/** How the commands of one call are run. */
interface RunCall extends SshCall {
  /** The variables of the secrets that each host's commands get. */
  readonly secretEnvs: ReadonlyMap<HostCommands, Readonly<Record<string, string>>>;
  readonly mask: SecretMask | undefined;
  readonly timeoutMs: number;
  /** Bytes kept of each output stream. */
  readonly limit: number;
  /** How much of the answer the outputs of all commands may take. */
  readonly budget: ResultBudget;
  readonly onOutput: (event: OutputEvent) => void | Promise<void>;
}

/**
 * Creates a runner of commands over SSH with the operator's settings. Connections are kept for five
 * minutes and closed when the server stops; nothing of SSH is loaded before the first call.
 */
export function createSshRunner(context: ToolContext): SshRunner {
  const { limits, log } = context;
  const service = useSshService(context);
  return async (connections, extra, options = {}) => {
    const { commands, caller, signal, secrets } = extra;
    const outputBytes = clamp(options.maxOutputBytes, limits.outputBytes, limits.maxOutputBytes);
    // At any time, hosts keep at most twice the largest answer.
    const atOnce = Math.max(1, Math.min(connections.length, service.settings.parallel));
    const count = connections.reduce((sum, { commands }) => sum + commands.length, 0);
    const call: RunCall = {
      commands,
      lookup: service.config.forCall({ commands, signal }),
      timeoutMs: clamp(options.timeoutMs, extra.limits.timeoutMs, extra.limits.maxTimeoutMs),
      limit: Math.min(outputBytes, Math.floor(limits.maxResultBytes / atOnce)),
      budget: new ResultBudget(limits.maxResultBytes, count),
      secretEnvs: new Map(connections.map((one) => [one, secrets.env(one.secrets, one.env)])),
      mask: secrets.mask,
      caller,
      signal,
      log,
      onOutput: (event) => extra.output(event),
    };
    const run = (host: SshHost, request: HostCommands) => runOn(host, request, service, call);
    return await onHosts(connections, service, call, run);
  };
}

/** Runs the commands of one host, in order. */
async function runOn(
  host: SshHost,
  request: HostCommands,
  { late }: SshService,
  call: RunCall,
): Promise<HostResult> {
  const { commands, cwd, env, stdin, stopOnError = false } = request;
  const secretEnv = call.secretEnvs.get(request);
  const results: RemoteResult[] = [];
  const runOne = (connection: Connection, text: string, command: number) => {
    const onOutput: OutputListener = (event) =>
      call.onOutput({ ...event, host: request.host, command });
    return runRemote(connection, text, { ...call, late, cwd, env, secretEnv, stdin, onOutput });
  };
  const error = await host.connect(async (link) => {
    for (const [at, text] of commands.entries()) {
      call.signal.throwIfAborted();
      const { result, fault } = await link.attempt((connection) => runOne(connection, text, at));
      results.push(result);
      if (result.stopped !== undefined && result.stopped !== true) link.connection.close();
      if (fault !== undefined) throw fault;
      if (stopOnError && (result.exitCode !== 0 || result.timedOut)) return;
    }
  });
  const done = { host: request.host, username: host.username };
  const left = commands.length - results.length;
  if (error === undefined) return { ...done, results, ...(left > 0 ? { leftOut: left } : {}) };
  return { ...done, results: [...results, ...Array<RemoteResult>(left).fill(NOT_RUN)], error };
}
