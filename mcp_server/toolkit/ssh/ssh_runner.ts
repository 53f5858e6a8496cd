import * as z from "zod";
import { clamp } from "../../shared/limits.ts";
import type { ToolContext, ToolExtra } from "../../tool/tool.ts";
import { ResultBudget } from "../../tool/result.ts";
import { SshConfig } from "./ssh_config.ts";
import { ConnectionPool } from "./connection.ts";
import { HostKeyStore } from "./host_key_store.ts";
import { HOST_NAME, USER_NAME } from "./hosts.ts";
import { LateStops } from "./remote_command.ts";
import { type HostCommands, type HostResult, runOnHosts } from "./run_on_hosts.ts";
import { parseSshSettings } from "./ssh_settings.ts";

/** The limits that a call may set for each of its commands. */
export interface SshOptions {
  /** Time-out of each command in milliseconds, clamped to the server's limit. @default {30_000} */
  readonly timeoutMs?: number;
  /** Bytes kept of each output stream, clamped to the server's limit. @default {131_072} */
  readonly maxOutputBytes?: number;
}

/**
 * Runs the commands of one call on its hosts; on none of them if one is not allowed to the caller.
 */
export type SshRunner = (
  connections: readonly HostCommands[],
  extra: Pick<ToolExtra, "caller" | "signal" | "output" | "limits" | "commands">,
  options?: SshOptions,
) => Promise<HostResult[]>;

/**
 * Creates a runner of commands over SSH with the operator's settings. Connections are kept for five
 * minutes and closed when the server stops; nothing of SSH is loaded before the first call.
 */
export function createSshRunner(context: ToolContext): SshRunner {
  const { limits, log, env } = context;
  const settings = parseSshSettings(env);
  const pool = new ConnectionPool();
  const late = new LateStops();
  const hostKeys = new HostKeyStore(settings);
  const config = new SshConfig({ home: settings.home, defaultUser: settings.user, env });
  context.onShutdown(async () => {
    pool.close();
    await late.close();
  });
  return (connections, extra, options = {}) => {
    const outputBytes = clamp(options.maxOutputBytes, limits.outputBytes, limits.maxOutputBytes);
    // At any time, hosts keep at most twice the largest answer.
    const atOnce = Math.max(1, Math.min(connections.length, settings.parallel));
    const count = connections.reduce((sum, { commands }) => sum + commands.length, 0);
    return runOnHosts(connections, { settings, config, hostKeys, pool, late, log }, {
      commands: extra.commands,
      timeoutMs: clamp(options.timeoutMs, extra.limits.timeoutMs, extra.limits.maxTimeoutMs),
      limit: Math.min(outputBytes, Math.floor(limits.maxResultBytes / atOnce)),
      budget: new ResultBudget(limits.maxResultBytes, count),
      caller: extra.caller,
      signal: extra.signal,
      onOutput: (event) => extra.output(event),
    });
  };
}

/** A host as a call may write it; one that is still invalid fails by itself, not the call. */
export function hostText(): z.ZodString {
  return z.string().regex(HOST_NAME, {
    error: "must be a name, an address, or one of them with a port, such as [::1]:22",
  });
}

/** The name of an account on a host. */
export function userText(): z.ZodString {
  return z.string().regex(USER_NAME, { error: "must be the name of a user" });
}

/** An object without its keys, because they are the same as in `exec-command`. */
export type AnyObject = z.ZodObject<Record<never, never>, z.core.$loose>;

/** The shape of {@linkcode HOST_RESULT}. */
export type HostShape = {
  host: z.ZodString;
  username: z.ZodString;
  results: z.ZodArray<AnyObject>;
  error: z.ZodOptional<AnyObject>;
};

/** The schema of a `HostResult`. */
export const HOST_RESULT: HostShape = {
  host: z.string(),
  username: z.string(),
  results: z.array(z.looseObject({})),
  error: z.looseObject({}).optional(),
};
