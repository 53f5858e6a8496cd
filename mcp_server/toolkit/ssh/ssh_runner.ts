import { userInfo } from "node:os";
import * as z from "zod";
import type { Caller } from "../../access/caller.ts";
import { inParallel } from "../../shared/concurrency.ts";
import { messageOf, NotAllowedError } from "../../shared/error.ts";
import { KeyedPool } from "../../shared/keyed_pool.ts";
import { clamp, SSH_PARALLEL } from "../../shared/limits.ts";
import type { Log } from "../../shared/log.ts";
import type { CommandRunner, OutputEvent } from "../../tool/command.ts";
import type { ToolContext, ToolExtra } from "../../tool/tool.ts";
import { ResultBudget } from "../../tool/result.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { LoginSettings } from "./credentials.ts";
import { HostKeyStore, type HostKeyStoreOptions } from "./host_key_store.ts";
import { parseHostName, writtenName } from "./hosts.ts";
import { ProxyCommands } from "./open_socket.ts";
import { LateStops, runRemote } from "./remote_command.ts";
import { NOT_RUN, type RemoteResult, type RemoteRun } from "./remote_output.ts";
import { type Route, toRoute } from "./route.ts";
import { SshError, type SshPhase } from "./ssh2.ts";
import { type ConfigLookup, SshConfig } from "./ssh_config.ts";

/** The commands of a call for one host. */
export interface HostCommands {
  /** Name, address or alias of `~/.ssh/config`, with a port if one is written. */
  readonly host: string;
  /** The account to log in with. @default {the config's, else the server's own user} */
  readonly username?: string;
  /** The commands for the login shell, in order. */
  readonly commands: readonly string[];
}

/** The results of one host's commands. */
export type HostResult = {
  /** The host as the call writes it. */
  host: string;
  /** The account that was used. */
  username: string;
  /** One result for each command, in order. */
  results: RemoteResult[];
  /** Why the host failed, if it did. */
  error?: { phase: SshPhase; message: string };
};

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

/** The operator's settings of `ssh-exec`. */
interface SshSettings extends LoginSettings, HostKeyStoreOptions {
  /** The shell that runs a `ProxyCommand`. */
  readonly shell: string;
  /** The account to log in with if neither the call nor the config names one, without OpenSSH. */
  readonly user: string;
  /** Patterns of the hosts that may be reached; `undefined` for all. */
  readonly allowedHosts?: readonly string[];
  /** How many hosts of one call run commands at once. */
  readonly parallel: number;
}

/** What all calls share. */
interface SshService {
  readonly settings: SshSettings;
  readonly hostKeys: HostKeyStore;
  /** One caller uses a connection at a time, so a server's `MaxSessions` is never reached. */
  readonly pool: KeyedPool<Connection>;
  readonly late: LateStops;
  readonly log: Log;
}

/** How the commands of one call are run. */
interface SshCall {
  /** Runs OpenSSH's client, which reads the config, and proxies. */
  readonly commands: CommandRunner;
  readonly lookup: ConfigLookup;
  readonly timeoutMs: number;
  /** Bytes kept of each output stream. */
  readonly limit: number;
  /** How much of the answer the outputs of all commands may take. */
  readonly budget: ResultBudget;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly onOutput: (event: OutputEvent) => void | Promise<void>;
}

/** How long, and how many, unused connections are kept. */
const IDLE_MS = 5 * 60_000;
const MOST_IDLE = 64;

/**
 * Creates a runner of commands over SSH with the operator's settings. Connections are kept for five
 * minutes and closed when the server stops; nothing of SSH is loaded before the first call.
 */
export function createSshRunner(context: ToolContext): SshRunner {
  const { limits, log, env } = context;
  const settings = parseSshSettings(env);
  const pool = new KeyedPool<Connection>((unused) => unused.close(), { most: MOST_IDLE });
  const late = new LateStops();
  const hostKeys = new HostKeyStore(settings);
  const config = new SshConfig({ home: settings.home, defaultUser: settings.user, env });
  context.onShutdown(async () => {
    pool.close();
    await late.close();
  });
  return (connections, extra, options = {}) => {
    const { commands, caller, signal } = extra;
    const outputBytes = clamp(options.maxOutputBytes, limits.outputBytes, limits.maxOutputBytes);
    // At any time, hosts keep at most twice the largest answer.
    const atOnce = Math.max(1, Math.min(connections.length, settings.parallel));
    const count = connections.reduce((sum, { commands }) => sum + commands.length, 0);
    return runOnHosts(connections, { settings, hostKeys, pool, late, log }, {
      commands,
      lookup: config.forCall({ commands, signal }),
      timeoutMs: clamp(options.timeoutMs, extra.limits.timeoutMs, extra.limits.maxTimeoutMs),
      limit: Math.min(outputBytes, Math.floor(limits.maxResultBytes / atOnce)),
      budget: new ResultBudget(limits.maxResultBytes, count),
      caller,
      signal,
      onOutput: (event) => extra.output(event),
    });
  };
}

/** Reads the operator's settings; an empty variable counts as unset. */
function parseSshSettings(env: (name: string) => string | undefined): SshSettings {
  const allowed = env("MCP_SSH_ALLOWED_HOSTS");
  return {
    home: env("HOME") || userInfo().homedir,
    shell: env("SHELL") || "/bin/sh",
    user: env("USER") || env("LOGNAME") || userInfo().username,
    agent: env("SSH_AUTH_SOCK") || undefined,
    keyFile: env("MCP_SSH_KEY") || undefined,
    passphrase: env("MCP_SSH_PASSPHRASE") || undefined,
    password: env("MCP_SSH_PASSWORD") || undefined,
    acceptNew: env("MCP_SSH_HOST_KEYS") === "accept-new",
    allowedHosts: allowed ? allowed.split(",").map((part) => part.trim()) : undefined,
    parallel: Number(env(SSH_PARALLEL.env)) || SSH_PARALLEL.fallback,
  };
}

/**
 * Runs commands on several hosts at once, those of one host in order. A host that fails does not
 * affect the others. Rejects with the signal's reason, once everything is stopped, and with a
 * `NotAllowedError` before anything runs if the caller may not reach one of the hosts.
 */
async function runOnHosts(
  hosts: readonly HostCommands[],
  service: SshService,
  call: SshCall,
): Promise<HostResult[]> {
  const runs = hosts.map((request) => new HostRun(request, service, call));
  const atOnce = service.settings.parallel;
  if (call.caller.rights !== undefined) {
    const refusals = await inParallel(runs, (run) => run.refusal(), { atOnce });
    const refusal = refusals.find((each) => each !== undefined);
    if (refusal !== undefined) throw refusal;
  }
  const results = await inParallel(runs, (run) => run.run(), { atOnce });
  call.signal.throwIfAborted();
  return results;
}

/** The running commands of one host. */
class HostRun {
  readonly #request: HostCommands;
  readonly #service: SshService;
  readonly #call: SshCall;
  readonly #results: RemoteResult[] = [];
  #route: Promise<Route> | undefined;
  #username: string;

  constructor(request: HostCommands, service: SshService, call: SshCall) {
    this.#request = request;
    this.#service = service;
    this.#call = call;
    this.#username = request.username ?? service.settings.user;
  }

  /** Resolves with the reason if the caller may not reach the host; other faults wait. */
  async refusal(): Promise<NotAllowedError | undefined> {
    try {
      await this.#findRoute();
    } catch (error) {
      if (error instanceof NotAllowedError) return error;
    }
    return undefined;
  }

  async run(): Promise<HostResult> {
    try {
      this.#call.signal.throwIfAborted();
      const route = await this.#findRoute();
      this.#username = route.target.user;
      await this.#runAll(route);
      return this.#toResult();
    } catch (error) {
      this.#call.signal.throwIfAborted();
      return this.#toResult(this.#toSshError(error));
    }
  }

  /** The route that is checked is the one that is used. */
  #findRoute(): Promise<Route> {
    return this.#route ??= this.#toRoute();
  }

  async #toRoute(): Promise<Route> {
    const { host, username } = this.#request;
    const { lookup, caller } = this.#call;
    const target = parseHostName(host);
    if (target === undefined) {
      throw new SshError(`Cannot connect to "${host}": it is not a host`, "resolve");
    }
    const { allowedHosts } = this.#service.settings;
    const written = writtenName(host, target.name);
    return await toRoute({ ...target, user: username, written }, { lookup, caller, allowedHosts });
  }

  async #runAll(route: Route): Promise<void> {
    const { signal, commands } = this.#call;
    const { pool, settings: { shell, home } } = this.#service;
    await using proxies = new ProxyCommands({ commands, shell, env: { HOME: home } });
    const key = JSON.stringify(route);
    const kept = await this.#takeKept(key);
    const open = async () => {
      const opened = await openConnection(route, { ...this.#service, proxies }, signal);
      opened.onLost(() => pool.drop(opened));
      return opened;
    };
    let connection = kept ?? await open();
    try {
      for (const [at, command] of this.#request.commands.entries()) {
        signal.throwIfAborted();
        if (at > 0 && !connection.alive) {
          // The host may have left its side open.
          connection.close();
          connection = await open();
        }
        const run = await this.#runOne(connection, at, command).catch(async (error) => {
          // The kept connection was lost before the command was sent: it is sent over a new one.
          if (connection !== kept || !(error instanceof SshError && error.notStarted)) throw error;
          connection.close();
          connection = await open();
          return await this.#runOne(connection, at, command);
        });
        this.#results.push(run.result);
        if (run.result.stopped !== undefined && run.result.stopped !== true) connection.close();
        if (run.fault !== undefined) throw run.fault;
      }
    } finally {
      // A proxy ends with its call.
      if (route.proxyCommand === undefined && connection.alive) {
        connection.rest();
        pool.give(key, connection, IDLE_MS);
      } else {
        connection.close();
      }
    }
  }

  /** Takes a kept connection to hosts whose keys are still accepted; another one is closed. */
  async #takeKept(key: string): Promise<Connection | undefined> {
    const { pool, hostKeys } = this.#service;
    const kept = pool.take(key);
    if (kept === undefined) return undefined;
    let isTrusted = false;
    try {
      isTrusted = await kept.isStillTrusted(hostKeys, this.#call.signal);
    } finally {
      if (!isTrusted) kept.close();
    }
    return isTrusted ? kept : undefined;
  }

  #runOne(connection: Connection, command: number, text: string): Promise<RemoteRun> {
    const { host } = this.#request;
    const { onOutput } = this.#call;
    return runRemote(connection, text, {
      ...this.#call,
      log: this.#service.log,
      late: this.#service.late,
      onOutput: (event) => onOutput({ ...event, host, command }),
    });
  }

  #toSshError(error: unknown): SshError {
    if (error instanceof SshError) return error;
    if (error instanceof NotAllowedError) return new SshError(error.message, "resolve");
    const { host } = this.#request;
    this.#service.log.error("ssh-exec failed", { host, error: messageOf(error) });
    return new SshError(`Cannot use "${host}": ${messageOf(error)}`, "connect");
  }

  #toResult(error?: SshError): HostResult {
    const { host, commands } = this.#request;
    const results = commands.map((_, at) => this.#results[at] ?? NOT_RUN);
    const done = { host, username: this.#username, results };
    return error ? { ...done, error: { phase: error.phase, message: error.message } } : done;
  }
}
