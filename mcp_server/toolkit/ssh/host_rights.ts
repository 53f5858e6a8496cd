import { isIP } from "node:net";
import type { Caller } from "../../access/caller.ts";
import { NotAllowedError } from "../../shared/error.ts";
import { matchesPattern } from "./host_name.ts";

/** A host on a route: the names that it was requested by and stands for, and its port. */
export interface RequestedHost {
  readonly name: string;
  readonly hostName: string;
  readonly port: number;
}

/**
 * Throws a `NotAllowedError` unless a caller may reach a host: its rights allow the requested name
 * or what the config says it stands for, as `MCP_SSH_ALLOWED_HOSTS` does for all callers.
 */
export function ensureReachable(caller: Caller, { name, hostName, port }: RequestedHost): void {
  const { rights } = caller;
  if (rights === undefined || isAllowedHost([name, hostName], port, rights.hosts)) return;
  throw notAllowed(caller, `connect to port ${port} of "${name}": it is not`);
}

/**
 * Throws a `NotAllowedError` unless a caller may reach a host with the program of a `ProxyCommand`,
 * which can connect to any host: that takes the pattern `*` in its rights.
 */
export function ensureProxyCommand(caller: Caller, name: string): void {
  const { rights } = caller;
  if (rights === undefined || rights.hosts.includes("*")) return;
  throw notAllowed(caller, `connect to "${name}": its ProxyCommand takes "*"`);
}

function notAllowed({ name, rights }: Caller, what: string): NotAllowedError {
  const rule = rights?.hosts.join(", ") || "none";
  return new NotAllowedError(`Cannot ${what} among the hosts of the caller "${name}" (${rule})`);
}

/** An entry of `MCP_SSH_ALLOWED_HOSTS`: a pattern, and the only allowed port if one is written. */
interface AllowedHost {
  readonly pattern: string;
  readonly port?: number;
}

const BRACKETS = /^\[(.*)\](?::(\d+))?$/;
const WITH_PORT = /^([^:]+):(\d+)$/;

/**
 * Whether a host may be reached. An entry allows the requested name, or the name or address that it
 * resolves to in the config; an entry with a port allows that port only. A pattern of the shape of an
 * address allows addresses only: whoever owns a domain names its hosts `10.0.0.example.org` at will.
 */
export function isAllowedHost(
  names: readonly string[],
  port: number,
  entries: readonly string[],
): boolean {
  return entries.map(parseEntry).some((entry) =>
    (entry.port === undefined || entry.port === port) &&
    names.some((name) =>
      matchesPattern(name, entry.pattern) && (isIP(name) !== 0 || !isOfAddresses(entry.pattern))
    )
  );
}

/**
 * Whether a pattern has the shape of addresses, such as `10.0.0.*`, `10.*` and `*.*.*.*`, and not that of
 * names, such as `*`, `*1` and `web-*`. One of IPv6 has colons, and no name has these.
 */
function isOfAddresses(pattern: string): boolean {
  if (!/[*?]/.test(pattern) || !/^[\d.*?]+$/.test(pattern)) return false;
  return pattern.split(".").length === 4 || /^\d|\d.*\.|\..*\d/.test(pattern);
}

function parseEntry(text: string): AllowedHost {
  const [, pattern = text, port] = BRACKETS.exec(text) ?? WITH_PORT.exec(text) ?? [];
  return port === undefined ? { pattern } : { pattern, port: Number(port) };
}
