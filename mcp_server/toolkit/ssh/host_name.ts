import { isIPv6 } from "node:net";
import { matchesWildcard } from "../../shared/wildcard.ts";

/** The target of a call: a name, an address or an alias, and the port if there is one. */
export interface HostName {
  /** Name or address, without brackets and in lower case. */
  readonly name: string;
  /** Port, if the text has one. */
  readonly port?: number;
}

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/;
/** The name of an account, without anything that a shell or a program would interpret. */
export const USER_NAME = /^\w[\w.@+-]{0,63}\$?$/;
const BRACKETS = /^\[([^\]]*)\](?::(\d{1,5}))?$/;
const WITH_PORT = /^([^:]*)(?::(\d{1,5}))?$/;
const JUMP = /^(?:ssh:\/\/)?(?:(.+)@)?([^@]+?)\/?$/;
const MOST_PORT = 65_535;

/**
 * What {@linkcode parseHostName} accepts, for the JSON Schema of a tool: it matches no option, user
 * name or shell syntax either. It also matches texts that only look like a host, such as `:::`.
 */
export const HOST_NAME =
  /^(\w([\w.-]*\w)?\.?|\[?[\da-fA-F]*(:[\da-fA-F.]*){2,}\]?)(:[1-9]\d{0,4})?$/;

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

/** Whether a text can be the name of an account, without anything that a shell would interpret. */
export function isUserName(text: string): boolean {
  return USER_NAME.test(text);
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
