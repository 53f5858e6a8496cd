import { type Caller, DEFAULT_CALLER } from "../../domain/caller.ts";
import type { HostKeyNames } from "./host_key_store.ts";
import {
  DEFAULT_PORT,
  type HostName,
  isUserName,
  knownName,
  parseHostName,
  parseJump,
} from "./host_name.ts";
import { ensureProxyCommand, ensureReachable, isAllowedHost } from "./host_rights.ts";
import type { ConfigLookup, HostConfig } from "./ssh_config.ts";
import { SshError } from "./ssh_error.ts";

/** One host to log in to. */
export interface Hop {
  /** What the caller or the config calls it. */
  readonly alias: string;
  readonly hostName: string;
  readonly port: number;
  readonly user: string;
  readonly identityFiles: readonly string[];
  readonly connectTimeoutMs: number;
  /** The names under which its key is looked up. */
  readonly hostKeyNames: HostKeyNames;
}

/** The hosts to log in to, each through the one before it; commands run on the last one. */
export interface Route {
  readonly jumps: readonly Hop[];
  readonly target: Hop;
}

/** What a route is found with. */
export interface RouteParts {
  readonly lookup: ConfigLookup;
  /** The account if nothing names one. */
  readonly defaultUser: string;
  readonly allowedHosts?: readonly string[];
  /** Who asks; its rights bound every hop. @default {a caller that may do everything} */
  readonly caller?: Caller;
}

/** A host to reach, as it is written, and the account if it is named. */
export type Target = HostName & { readonly user?: string };

const CONNECT_MS = 10_000;
const MOST_HOPS = 8;

/**
 * The hops to a host, the host itself last. Throws an `SshError` of phase `resolve` if the config
 * requires something unsupported, or if a hop is not among the allowed hosts; a `NotAllowedError` if
 * the caller may not reach one.
 */
export function toRoute(target: Target, parts: RouteParts): Route {
  const route = routeTo(target, parts, 0);
  if (route.jumps.length >= MOST_HOPS) {
    throw refuse(target.name, `it has more than ${MOST_HOPS} hops`);
  }
  return route;
}

function routeTo(target: Target, parts: RouteParts, depth: number): Route {
  if (depth >= MOST_HOPS) throw refuse(target.name, "its ProxyJump is circular");
  const config = parts.lookup(target.name, target.user);
  const hop = toHop(target, config, parts);
  const jumps = config.jumps.flatMap((text, at) => {
    const jump = parseJump(text);
    if (jump === undefined) throw refuse(target.name, `its ProxyJump "${text}" is not a host`);
    // The first hop may need hops of its own; the others are reached through it (ssh_config(5)).
    if (at === 0) return hopsOf(routeTo(jump, parts, depth + 1));
    return [toHop(jump, parts.lookup(jump.name, jump.user), parts)];
  });
  return { jumps, target: hop };
}

function hopsOf({ jumps, target }: Route): Hop[] {
  return [...jumps, target];
}

function toHop(target: Target, config: HostConfig, parts: RouteParts): Hop {
  const { name } = target;
  const hostName = (config.hostName ?? name).toLowerCase();
  const port = target.port ?? config.port ?? DEFAULT_PORT;
  const user = target.user ?? config.user ?? parts.defaultUser;
  const { allowedHosts, caller = DEFAULT_CALLER } = parts;
  ensureReachable(caller, { name, hostName, port });
  if (config.proxyCommand) ensureProxyCommand(caller, name);
  if (config.proxyCommand) throw refuse(name, "its ProxyCommand is not supported, use ProxyJump");
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
    identityFiles: config.identityFiles,
    connectTimeoutMs: config.connectTimeoutMs ?? CONNECT_MS,
    hostKeyNames: toHostKeyNames(config.hostKeyAlias?.toLowerCase(), hostName, port),
  };
}

function toHostKeyNames(alias: string | undefined, hostName: string, port: number): HostKeyNames {
  if (alias !== undefined) return [alias];
  return port === DEFAULT_PORT ? [hostName] : [knownName(hostName, port), hostName];
}

function refuse(name: string, state: string): SshError {
  return new SshError(`Cannot go to "${name}": ${state}`, "resolve");
}
