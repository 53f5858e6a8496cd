import { type Caller, DEFAULT_CALLER } from "../../access/caller.ts";
import {
  DEFAULT_PORT,
  ensureProxyCommand,
  ensureReachable,
  type HostName,
  isAllowedHost,
  knownName,
  parseHostName,
  parseJump,
  writtenName,
} from "./hosts.ts";
import { isUserName } from "./host_schema.ts";
import type { ConfigLookup } from "./ssh_config.ts";
import type { HostConfig, HostSettings } from "./host_config.ts";
import { SshError } from "./ssh2.ts";

/**
 * The names by which a host is known: `[name]:port` or `name`, and for another port also the bare
 * name.
 */
export type HostKeyNames = readonly [name: string, ...others: string[]];

/** One host to log in to. */
export interface Hop {
  /** What the caller or the config calls it. */
  readonly alias: string;
  readonly hostName: string;
  readonly port: number;
  readonly user: string;
  readonly connectTimeoutMs: number;
  /** The names under which its key is looked up. */
  readonly hostKeyNames: HostKeyNames;
  /** What the config says about the connection itself. */
  readonly settings: HostSettings;
}

/** The hosts to log in to, each through the one before it; commands run on the last one. */
export interface Route {
  readonly jumps: readonly Hop[];
  readonly target: Hop;
  /** The shell command whose standard streams are the connection to the first hop. */
  readonly proxyCommand?: string;
}

/** What a route is found with. */
export interface RouteParts {
  readonly lookup: ConfigLookup;
  readonly allowedHosts?: readonly string[];
  /** Who asks; its rights bound every hop. @default {a caller that may do everything} */
  readonly caller?: Caller;
}

/** A host to reach, and the account if it is named. */
export type Target = HostName & {
  readonly user?: string;
  /** The name as it is written. @default {the name} */
  readonly written?: string;
};

const CONNECT_MS = 10_000;
const MOST_HOPS = 8;

/**
 * The hops to a host, the host itself last. Throws an `SshError` of phase `resolve` if the config
 * requires something unsupported, or if a hop is not among the allowed hosts; a `NotAllowedError` if
 * the caller may not reach one.
 */
export async function toRoute(target: Target, parts: RouteParts): Promise<Route> {
  const route = await routeTo(target, parts, 0);
  if (route.jumps.length >= MOST_HOPS) {
    throw refuse(target.name, `it has more than ${MOST_HOPS} hops`);
  }
  return route;
}

async function routeTo(target: Target, parts: RouteParts, depth: number): Promise<Route> {
  if (depth >= MOST_HOPS) throw refuse(target.name, "its ProxyJump is circular");
  const config = await lookUp(target, parts);
  const own = toHop(target, config, parts);
  const [first, ...others] = config.jumps.map((text) => {
    const jump = parseJump(text);
    if (jump === undefined) throw refuse(target.name, `its ProxyJump "${text}" is not a host`);
    return { ...jump, written: writtenName(text, jump.name) };
  });
  if (first === undefined) return { jumps: [], target: own, ...toProxy(target, config, parts) };
  // The first hop may need hops of its own; the others are reached through it (ssh_config(5)).
  const { jumps, target: gate, ...proxy } = await routeTo(first, parts, depth + 1);
  const through: Hop[] = [];
  for (const jump of others) through.push(toHop(jump, await lookUp(jump, parts), parts));
  return { jumps: [...jumps, gate, ...through], target: own, ...proxy };
}

async function lookUp(target: Target, { lookup }: RouteParts): Promise<HostConfig> {
  const { name, written = name, user, port } = target;
  // A config may pass the name and the user to a shell.
  if (user !== undefined && !isUserName(user)) throw refuse(name, `"${user}" is not a user name`);
  return await lookup({ name: written, user, port });
}

/** A program that connects to the first hop is part of the route. */
function toProxy(
  { name }: Target,
  config: HostConfig,
  { caller = DEFAULT_CALLER }: RouteParts,
): Pick<Route, "proxyCommand"> {
  const { proxyCommand, proxyPassesSocket, user } = config;
  if (proxyCommand === undefined) return {};
  ensureProxyCommand(caller, name);
  if (proxyPassesSocket) throw refuse(name, "its ProxyUseFdpass is not supported");
  // A shell reads the command, and the call may choose the user.
  if (user.includes("$")) throw refuse(name, `its ProxyCommand can't be used as "${user}"`);
  return { proxyCommand };
}

function toHop(target: Target, config: HostConfig, parts: RouteParts): Hop {
  const { name } = target;
  const { hostName, port, user } = config;
  const { allowedHosts, caller = DEFAULT_CALLER } = parts;
  ensureReachable(caller, name, hostName, port);
  if (parseHostName(hostName)?.name !== hostName || port < 1 || port > 65_535) {
    throw refuse(name, `"${hostName}:${port}" is not a host`);
  }
  if (!isUserName(user)) throw refuse(name, `"${user}" is not a user name`);
  if (allowedHosts !== undefined && !isAllowedHost([name, hostName], port, allowedHosts)) {
    throw refuse(name, `port ${port} of it is not among MCP_SSH_ALLOWED_HOSTS`);
  }
  return {
    alias: target.port === undefined ? name : knownName(name, target.port),
    hostName,
    port,
    user,
    connectTimeoutMs: config.connectTimeoutMs ?? CONNECT_MS,
    hostKeyNames: toHostKeyNames(config.hostKeyAlias?.toLowerCase(), hostName, port),
    settings: config.settings,
  };
}

function toHostKeyNames(alias: string | undefined, hostName: string, port: number): HostKeyNames {
  if (alias !== undefined) return [alias];
  return port === DEFAULT_PORT ? [hostName] : [knownName(hostName, port), hostName];
}

function refuse(name: string, state: string): SshError {
  return new SshError(`Cannot connect to "${name}": ${state}`, "resolve");
}
