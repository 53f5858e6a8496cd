import { matchesPattern } from "./host_pattern.ts";

/** An entry of `MCP_SSH_ALLOWED_HOSTS`: a pattern, and the only port where one is written. */
interface AllowedHost {
  readonly pattern: string;
  readonly port?: number;
}

const BRACKETS = /^\[(.*)\](?::(\d+))?$/;
const WITH_PORT = /^([^:]+):(\d+)$/;

/**
 * Tells whether a host may be reached. An entry allows the name that is asked for, or the name or
 * address that it stands for; an entry with a port allows that port only.
 */
export function isAllowedHost(
  names: readonly string[],
  port: number,
  entries: readonly string[],
): boolean {
  return entries.map(parseEntry).some((entry) =>
    (entry.port === undefined || entry.port === port) &&
    names.some((name) => matchesPattern(name, entry.pattern))
  );
}

function parseEntry(text: string): AllowedHost {
  const [, pattern = text, port] = BRACKETS.exec(text) ?? WITH_PORT.exec(text) ?? [];
  return port === undefined ? { pattern } : { pattern, port: Number(port) };
}
