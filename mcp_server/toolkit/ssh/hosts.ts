import { isIP, isIPv6 } from "node:net";
import type { Caller } from "../../access/caller.ts";
import { NotAllowedError } from "../../shared/error.ts";
import { matchesWildcard } from "../../shared/wildcard.ts";
import { isUserName } from "./host_schema.ts";

/** The target of a call: a name, an address or an alias, and the port if there is one. */
export interface HostName {
  /** Name or address, without brackets and in lower case. */
  readonly name: string;
  /** Port, if the text has one. */
  readonly port?: number;
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/;
const BRACKETS = /^\[([^\]]*)\](?::(\d{1,5}))?$/;
const WITH_PORT = /^([^:]*)(?::(\d{1,5}))?$/;
const JUMP = /^(?:ssh:\/\/)?(?:(.+)@)?([^@]+?)\/?$/;
const MOST_PORT = 65_535;

/**
 * Reads `name`, `name:port`, `address`, `[v6]` or `[v6]:port`. Returns `undefined` for everything
 * else: what could be an option, contain a user name or be shell syntax.
 */
export function parseHostName(text: string): HostName | undefined {
  if (isIPv6(text)) return toHostName(text, undefined);
  const [, address, addressPort] = BRACKETS.exec(text) ?? [];
  if (address !== undefined) return isIPv6(address) ? toHostName(address, addressPort) : undefined;
  const [, name, port] = WITH_PORT.exec(text) ?? [];
  return name !== undefined && NAME.test(name.toLowerCase()) ? toHostName(name, port) : undefined;
}

function toHostName(name: string, digits: string | undefined): HostName | undefined {
  if (name.includes("%")) return undefined;
  const lower = name.toLowerCase();
  if (digits === undefined) return { name: lower };
  const port = Number(digits);
  return port >= 1 && port <= MOST_PORT ? { name: lower, port } : undefined;
}

/** One hop of `ProxyJump` (ssh_config(5)): `[user@]host[:port]` or `ssh://[user@]host[:port]`. */
export function parseJump(text: string): (HostName & { readonly user?: string }) | undefined {
  const [, user, host = ""] = JUMP.exec(text.trim()) ?? [];
  const parsed = parseHostName(host);
  if (parsed === undefined || user === undefined) return parsed;
  return isUserName(user) ? { ...parsed, user } : undefined;
}

/** The name of a host as a text writes it, given the name in lower case: OpenSSH distinguishes. */
export function writtenName(text: string, name: string): string {
  const at = text.toLowerCase().lastIndexOf(name);
  return at === -1 ? name : text.slice(at, at + name.length);
}

/** The name of a host in known_hosts: `name`, or `[name]:port` for another port. */
export function knownName(name: string, port: number): string {
  return port === DEFAULT_PORT ? name : `[${name}]:${port}`;
}

/** The port of a host for which none is set. */
export const DEFAULT_PORT = 22;

/** Whether a name matches a pattern of OpenSSH: `*` is any text, `?` any one character. */
export function matchesPattern(name: string, pattern: string): boolean {
  return matchesWildcard(name.toLowerCase(), pattern.toLowerCase());
}

/** Whether a name matches one pattern of a list, and none of those that start with `!`. */
export function matchesPatterns(name: string, patterns: readonly string[]): boolean {
  let found = false;
  for (const pattern of patterns) {
    const negated = pattern.startsWith("!");
    if (!matchesPattern(name, negated ? pattern.slice(1) : pattern)) continue;
    if (negated) return false;
    found = true;
  }
  return found;
}

/**
 * Throws a `NotAllowedError` unless a caller may reach a host: its rights allow the requested name
 * or what the config says it stands for, as `MCP_SSH_ALLOWED_HOSTS` does for all callers.
 */
export function ensureReachable(
  caller: Caller,
  name: string,
  hostName: string,
  port: number,
): void {
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

const ENTRY_IN_BRACKETS = /^\[(.*)\](?::(\d+))?$/;
const ENTRY_WITH_PORT = /^([^:]+):(\d+)$/;

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

/** Whether entries allow a host by its name, on some port at least. */
export function isAllowedName(name: string, entries: readonly string[]): boolean {
  return entries.some((entry) =>
    isAllowedHost([name], parseEntry(entry).port ?? DEFAULT_PORT, [entry])
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
  const [, pattern = text, port] = ENTRY_IN_BRACKETS.exec(text) ?? ENTRY_WITH_PORT.exec(text) ?? [];
  return port === undefined ? { pattern } : { pattern, port: Number(port) };
}
