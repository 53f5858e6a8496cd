import { userInfo } from "node:os";
import { type Caller, DEFAULT_CALLER } from "../../access/caller.ts";
import { inParallel, KeyedPool } from "../../shared/concurrency.ts";
import { messageOf, NotAllowedError } from "../../shared/error.ts";
import { SSH_PARALLEL } from "../../shared/limits.ts";
import type { Log } from "../../shared/log.ts";
import type { CommandRunner } from "../../tool/command.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { LoginSettings } from "./credentials.ts";
import { HostKeyStore, type HostKeyStoreOptions } from "./host_key_store.ts";
import { isAllowedName, parseHostName, writtenName } from "./hosts.ts";
import { ProxyCommands } from "./open_socket.ts";
import { LateStops } from "./remote_command.ts";
import { type Route, toRoute } from "./route.ts";
import { SshError, type SshPhase } from "./ssh2.ts";
import { type ConfigLookup, SshConfig } from "./ssh_config.ts";
import { SshFiles } from "./ssh_files.ts";

/** A host of a call, and the account to log in with. */
export interface HostLogin {
  /** Name, address or alias of `~/.ssh/config`, with a port if one is written. */
  readonly host: string;
  /** The account to log in with. @default {the config's, else the server's own user} */
  readonly username?: string | undefined;
}

/** Why a host failed. */
export type HostError = {
  /** How far it came. */
  phase: SshPhase;
  /** What failed, and why. */
  message: string;
};

/** The operator's settings of the SSH tools. */
interface SshSettings extends LoginSettings, HostKeyStoreOptions {
  /** The shell that runs a `ProxyCommand`. */
  readonly shell: string;
  /** The account to log in with if neither the call nor the config names one, without OpenSSH. */
  readonly user: string;
  /** Patterns of the hosts that may be reached; `undefined` for all. */
  readonly allowedHosts?: readonly string[];
  /** How many hosts of one call are worked on at once. */
  readonly parallel: number;
}

/** What all calls of a server share. */
export interface SshService {
  readonly settings: SshSettings;
  readonly hostKeys: HostKeyStore;
  readonly config: SshConfig;
  /** One caller uses a connection at a time, so a server's `MaxSessions` is never reached. */
  readonly pool: KeyedPool<Connection>;
  readonly late: LateStops;
}

/** What connects the hosts of one call. */
export interface SshCall {
  /** Runs OpenSSH's client, which reads the config, and proxies. */
  readonly commands: CommandRunner;
  readonly lookup: ConfigLookup;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** How long, and how many, unused connections are kept. */
const IDLE_MS = 5 * 60_000;
const MOST_IDLE = 64;

/** The services in use, by the environment that the tools of a server share, and by how many tools. */
const services = new WeakMap<ToolContext["env"], { service: SshService; users: number }>();

/**
 * The connections that the SSH tools of a server share, with the operator's settings. They are kept
 * for five minutes, and closed when the last of the tools ends; nothing of SSH is loaded before the
 * first call.
 */
export function useSshService(
  { env, onShutdown }: Pick<ToolContext, "env" | "onShutdown">,
): SshService {
  const entry = services.get(env) ?? { service: createSshService(env), users: 0 };
  services.set(env, entry);
  entry.users++;
  onShutdown(async () => {
    if (--entry.users > 0) return;
    services.delete(env);
    entry.service.pool.close();
    await entry.service.late.close();
  });
  return entry.service;
}

function createSshService(env: ToolContext["env"]): SshService {
  const settings = parseSshSettings(env);
  return {
    settings,
    hostKeys: new HostKeyStore(settings),
    config: new SshConfig({ home: settings.home, defaultUser: settings.user, env }),
    pool: new KeyedPool<Connection>((unused) => unused.close(), { most: MOST_IDLE }),
    late: new LateStops(),
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
 * Works on several hosts at once; one that fails must not affect the others. Rejects with the signal's
 * reason, once everything is stopped, and with a `NotAllowedError` before anything is done if the
 * caller may not reach one of the hosts.
 */
export async function onHosts<Login extends HostLogin, Result>(
  logins: readonly Login[],
  service: SshService,
  call: SshCall,
  work: (host: SshHost, login: Login) => Promise<Result>,
): Promise<Result[]> {
  const hosts = logins.map((login) => ({ login, host: new SshHost(login, service, call) }));
  const atOnce = service.settings.parallel;
  if (call.caller.rights !== undefined) {
    const refusals = await inParallel(hosts, ({ host }) => host.refusal(), { atOnce });
    const refusal = refusals.find((each) => each !== undefined);
    if (refusal !== undefined) throw refusal;
  }
  const results = await inParallel(hosts, ({ host, login }) => work(host, login), { atOnce });
  call.signal.throwIfAborted();
  return results;
}

/** One host of a call. */
export class SshHost {
  readonly #login: HostLogin;
  readonly #service: SshService;
  readonly #call: SshCall;
  #route: Promise<Route> | undefined;
  #username: string;

  constructor(login: HostLogin, service: SshService, call: SshCall) {
    this.#login = login;
    this.#service = service;
    this.#call = call;
    this.#username = login.username ?? service.settings.user;
  }

  /** The account that is used: once the config was read, the one that it names. */
  get username(): string {
    return this.#username;
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

  /**
   * Works over a connection, which is kept afterwards. Resolves with the error of a host that failed;
   * rejects with the reason of a call that is stopped.
   */
  async connect(work: (link: HostLink) => Promise<void>): Promise<HostError | undefined> {
    const { signal } = this.#call;
    try {
      signal.throwIfAborted();
      const route = await this.#findRoute();
      this.#username = route.target.user;
      await this.#workOver(route, work);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      const { phase, message } = this.#toSshError(error);
      return { phase, message };
    }
  }

  /** The route that is checked is the one that is used. */
  #findRoute(): Promise<Route> {
    return this.#route ??= this.#toRoute();
  }

  async #toRoute(): Promise<Route> {
    const { host, username } = this.#login;
    const { lookup, caller } = this.#call;
    const target = parseHostName(host);
    if (target === undefined) {
      throw new SshError(`Cannot connect to "${host}": it is not a host`, "resolve");
    }
    const { allowedHosts } = this.#service.settings;
    const written = writtenName(host, target.name);
    return await toRoute({ ...target, user: username, written }, { lookup, caller, allowedHosts });
  }

  async #workOver(route: Route, work: (link: HostLink) => Promise<void>): Promise<void> {
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
    const link = new HostLink(kept ?? await open(), { isKept: kept !== undefined, open });
    try {
      await work(link);
    } finally {
      const { connection } = link;
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

  #toSshError(error: unknown): SshError {
    if (error instanceof SshError) return error;
    if (error instanceof NotAllowedError) return new SshError(error.message, "resolve");
    const { host } = this.#login;
    this.#call.log.error("a host failed", { host, error: messageOf(error) });
    return new SshError(`Cannot use "${host}": ${messageOf(error)}`, "connect");
  }
}

/** A connection to a host, and another one where it was lost. */
export class HostLink {
  readonly #open: () => Promise<Connection>;
  #connection: Connection;
  /** Whether it is one of an earlier call, which may be lost without a sign of it. */
  #isKept: boolean;
  #used = false;

  constructor(
    connection: Connection,
    { isKept, open }: { readonly isKept: boolean; readonly open: () => Promise<Connection> },
  ) {
    this.#connection = connection;
    this.#isKept = isKept;
    this.#open = open;
  }

  /** The present connection. */
  get connection(): Connection {
    return this.#connection;
  }

  /**
   * Does one thing over the connection: over a new one if it was lost before, or turns out to be lost
   * before the host can have received anything.
   */
  async attempt<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    if (this.#used && !this.#connection.alive) await this.#reopen();
    this.#used = true;
    try {
      return await work(this.#connection);
    } catch (error) {
      if (!this.#isKept || !(error instanceof SshError && error.notStarted)) throw error;
      await this.#reopen();
      return await work(this.#connection);
    }
  }

  async #reopen(): Promise<void> {
    // The host may have left its side open.
    this.#connection.close();
    this.#isKept = false;
    this.#connection = await this.#open();
  }
}

/** The hosts that a caller may reach over SSH. */
export type UsableHosts = {
  /** Those that `~/.ssh/config` of the server names by itself, without what it includes. */
  names: string[];
  /** Patterns of those that the caller, or else the server, allows; absent if all are allowed. */
  allowed?: string[];
};

/** Lists hosts; none of them is connected to. */
export type HostLister = (
  call: { readonly caller?: Caller; readonly signal: AbortSignal },
) => Promise<UsableHosts>;

/** How long the config may take to be read. */
const READ_MS = 3_000;
const MOST_BYTES = 1024 * 1024;
/** Name and value of a line (ssh_config(5)). */
const HOST_LINE = /^\s*host(?:\s*=\s*|\s+)(.+)$/i;
const WORD = /"([^"]*)"|(\S+)/g;

/** Creates the lister of a tool. A config that can't be read has no names to offer. */
export function createHostLister(context: Pick<ToolContext, "env" | "onShutdown">): HostLister {
  const { settings } = useSshService(context);
  return async ({ caller = DEFAULT_CALLER, signal }) => {
    using files = new SshFiles({ signal, deadline: performance.now() + READ_MS });
    const { text = "" } = await files.read(`${settings.home}/.ssh/config`, MOST_BYTES);
    const rules = [settings.allowedHosts, caller.rights?.hosts].filter((rule) =>
      rule !== undefined
    );
    const names = namesIn(text).filter((name) => rules.every((rule) => isAllowedName(name, rule)));
    const allowed = rules.findLast((rule) => !rule.includes("*"));
    return { names, ...(allowed === undefined ? {} : { allowed: [...allowed] }) };
  };
}

/** The hosts that a config names, without patterns, each once. */
export function namesIn(config: string): string[] {
  const words = config.split("\n").flatMap((line) => {
    const [, value = ""] = HOST_LINE.exec(line) ?? [];
    return [...value.matchAll(WORD)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  });
  return [...new Set(words)].filter((word) => parseHostName(word) !== undefined);
}
