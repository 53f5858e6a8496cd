import type { Caller } from "../../access/caller.ts";
import type { CommandRunner, OutputEvent } from "../../tool/command.ts";
import { messageOf, NotAllowedError } from "../../shared/error.ts";
import { inParallel } from "../../shared/concurrency.ts";
import type { Log } from "../../shared/log.ts";
import type { ResultBudget } from "../../tool/result.ts";
import {
  type Connection,
  type ConnectionParts,
  type ConnectionPool,
  isStillTrusted,
  openConnection,
} from "./connection.ts";
import { type LateStops, runRemote } from "./remote_command.ts";
import type { ConfigLookup, SshConfig } from "./ssh_config.ts";
import { parseHostName, writtenName } from "./hosts.ts";
import { ProxyCommands } from "./open_socket.ts";
import { type Route, toRoute } from "./route.ts";
import { NOT_RUN, type RemoteResult, type RemoteRun } from "./remote_output.ts";
import { SshError, type SshPhase } from "./ssh2.ts";

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

/** What commands are run with on hosts. */
export interface HostsParts extends Omit<ConnectionParts, "proxies"> {
  readonly config: SshConfig;
  readonly pool: ConnectionPool;
  readonly late: LateStops;
  readonly log: Log;
}

/** How the commands of one call are run. */
export interface HostsOptions {
  /** Runs OpenSSH's client, which reads the config, and proxies. */
  readonly commands: CommandRunner;
  readonly timeoutMs: number;
  readonly limit: number;
  /** How much of the answer the outputs of all commands may take. */
  readonly budget: ResultBudget;
  /** Whose rights bound the hosts. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly onOutput: (event: OutputEvent) => void | Promise<void>;
}

/**
 * Runs commands on several hosts at once, those of one host in order. A host that fails does not
 * affect the others. Rejects with the signal's reason, once everything is stopped, and with a
 * `NotAllowedError` before anything runs if the caller may not reach one of the hosts.
 */
export async function runOnHosts(
  hosts: readonly HostCommands[],
  parts: HostsParts,
  options: HostsOptions,
): Promise<HostResult[]> {
  const lookup = parts.config.forCall(options);
  const runs = hosts.map((request) => new HostRun(request, { lookup, ...parts }, options));
  const atOnce = parts.settings.parallel;
  if (options.caller.rights !== undefined) {
    const refusals = await inParallel(runs, (run) => run.refusal(), { atOnce });
    const refusal = refusals.find((each) => each !== undefined);
    if (refusal !== undefined) throw refusal;
  }
  const results = await inParallel(runs, (run) => run.run(), { atOnce });
  options.signal.throwIfAborted();
  return results;
}

/** The running commands of one host. */
class HostRun {
  readonly #request: HostCommands;
  readonly #parts: HostsParts & { readonly lookup: ConfigLookup };
  readonly #options: HostsOptions;
  readonly #results: RemoteResult[] = [];
  #route: Promise<Route> | undefined;
  #username: string;

  constructor(
    request: HostCommands,
    parts: HostsParts & { readonly lookup: ConfigLookup },
    options: HostsOptions,
  ) {
    this.#request = request;
    this.#parts = parts;
    this.#options = options;
    this.#username = request.username ?? parts.settings.user;
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
      this.#options.signal.throwIfAborted();
      const route = await this.#findRoute();
      this.#username = route.target.user;
      await this.#runAll(route);
      return this.#toResult();
    } catch (error) {
      this.#options.signal.throwIfAborted();
      return this.#toResult(this.#toSshError(error));
    }
  }

  /** The route that is checked is the one that is used. */
  #findRoute(): Promise<Route> {
    return this.#route ??= this.#toRoute();
  }

  async #toRoute(): Promise<Route> {
    const { host, username } = this.#request;
    const { lookup, settings: { allowedHosts } } = this.#parts;
    const target = parseHostName(host);
    if (target === undefined) {
      throw new SshError(`Cannot connect to "${host}": it is not a host`, "resolve");
    }
    const { caller } = this.#options;
    const written = writtenName(host, target.name);
    return await toRoute({ ...target, user: username, written }, { lookup, caller, allowedHosts });
  }

  async #runAll(route: Route): Promise<void> {
    await using proxies = this.#createProxies();
    const { pool } = this.#parts;
    const key = JSON.stringify(route);
    const pooled = await this.#takeKept(key);
    const open = () => openConnection(route, { ...this.#parts, proxies }, this.#options.signal);
    let connection = pooled ?? await open();
    try {
      for (const [at, command] of this.#request.commands.entries()) {
        this.#options.signal.throwIfAborted();
        if (at > 0 && !connection.alive) {
          // The host may have left its side open.
          connection.close();
          connection = await open();
        }
        const run = await this.#runOne(connection, at, command).catch(async (error) => {
          // The pooled connection was lost before the command was sent: it is sent over a new one.
          if (connection !== pooled || !(error instanceof SshError && error.notStarted)) {
            throw error;
          }
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
      if (route.proxyCommand === undefined) pool.give(key, connection);
      else connection.close();
    }
  }

  /** Takes a kept connection to hosts whose keys are still accepted; another one is closed. */
  async #takeKept(key: string): Promise<Connection | undefined> {
    const { pool, hostKeys } = this.#parts;
    const kept = pool.take(key);
    if (kept === undefined) return undefined;
    let isTrusted = false;
    try {
      isTrusted = await isStillTrusted(kept, hostKeys, this.#options.signal);
    } finally {
      if (!isTrusted) kept.close();
    }
    return isTrusted ? kept : undefined;
  }

  #createProxies(): ProxyCommands {
    const { shell, home } = this.#parts.settings;
    return new ProxyCommands({ commands: this.#options.commands, shell, env: { HOME: home } });
  }

  #runOne(connection: Connection, command: number, text: string): Promise<RemoteRun> {
    const { host } = this.#request;
    const { onOutput, ...options } = this.#options;
    return runRemote(connection, text, {
      ...options,
      log: this.#parts.log,
      late: this.#parts.late,
      onOutput: (event) => onOutput({ ...event, host, command }),
    });
  }

  #toSshError(error: unknown): SshError {
    if (error instanceof SshError) return error;
    if (error instanceof NotAllowedError) return new SshError(error.message, "resolve");
    const { host } = this.#request;
    this.#parts.log.error("ssh-exec failed", { host, error: messageOf(error) });
    return new SshError(`Cannot use "${host}": ${messageOf(error)}`, "connect");
  }

  #toResult(error?: SshError): HostResult {
    const { host, commands } = this.#request;
    const results = commands.map((_, at) => this.#results[at] ?? NOT_RUN);
    const failure = error && { phase: error.phase, message: error.message };
    return { host, username: this.#username, results, ...(failure ? { error: failure } : {}) };
  }
}
