import {
  HOST_PATTERN,
  isPathPattern,
  PATH_PATTERN_RULE,
  type Rights,
  TOOL_PATTERN,
} from "../access/caller.ts";
import { ConfigError, type Env, list, zeroOrOne } from "./config.ts";

/** Reads the name of the caller that stdio serves; its rights are those of the callers file. */
export function readCaller(name: string, env: Env): string | undefined {
  const caller = env[name] || undefined;
  if (caller === undefined) return undefined;
  if (!env.MCP_CALLERS_FILE) {
    throw new ConfigError(`Cannot use ${name} "${caller}": it takes MCP_CALLERS_FILE`);
  }
  const other = RIGHTS.find((right) => env[right]);
  if (other === undefined) return caller;
  throw new ConfigError(
    `Cannot use ${name} "${caller}" with ${other}: the callers file says what it may do`,
  );
}

/** The variables that narrow the rights of the caller `default`. */
const RIGHTS = [
  "MCP_ONLY",
  "MCP_READ_ONLY",
  "MCP_ONLY_PATHS",
  "MCP_ONLY_HOSTS",
  "MCP_ONLY_DATABASES",
];

/** Reads the rights of the caller `default` as far as they are narrowed. */
export function readOwnRights(name: string, env: Env): Partial<Rights> | undefined {
  const rights = {
    tools: given(name, env, list(checkTool)),
    readOnly: zeroOrOne("MCP_READ_ONLY", env) || undefined,
    paths: given("MCP_ONLY_PATHS", env, list(checkPath)),
    hosts: given("MCP_ONLY_HOSTS", env, list(checkHost)),
    databases: given("MCP_ONLY_DATABASES", env, readDatabases),
  };
  const narrowed = Object.entries(rights).filter(([, value]) => value !== undefined);
  return narrowed.length === 0 ? undefined : Object.fromEntries(narrowed);
}

/** Reads a list that must name something: one of commas alone is a mistake, and not everything. */
function given<Value extends object>(
  name: string,
  env: Env,
  read: (name: string, env: Env) => Value,
): Value | undefined {
  if (!env[name]) return undefined;
  const value = read(name, env);
  if (Object.keys(value).length > 0) return value;
  throw new ConfigError(`Cannot use ${name} "${env[name]}": it names nothing`);
}

function checkTool(name: string, item: string): string {
  return checked(name, item, TOOL_PATTERN.test(item), "must be the name or a pattern of tools");
}

function checkHost(name: string, item: string): string {
  return checked(name, item, HOST_PATTERN.test(item), "must be the name or a pattern of hosts");
}

function checkPath(name: string, item: string): string {
  return checked(name, item, isPathPattern(item), PATH_PATTERN_RULE);
}

const ACCESS = /^([^=]+)=(ro|rw)$/;

function readDatabases(name: string, env: Env): Rights["databases"] {
  const items = list()(name, env).map((item) => {
    const [, database = "", access] = ACCESS.exec(item) ?? [];
    checked(name, item, access !== undefined, 'must be a name with "=ro" or "=rw"');
    return [database, access === "rw" ? "rw" : "ro"] as const;
  });
  const twice = items.find(([database], at) =>
    items.some(([other], i) => i < at && other === database)
  );
  if (twice === undefined) return Object.fromEntries(items);
  throw new ConfigError(`Cannot use ${name} "${env[name]}": it has "${twice[0]}" twice`);
}

function checked(name: string, item: string, isValid: boolean, rule: string): string {
  if (isValid) return item;
  throw new ConfigError(`Cannot use ${name} "${item}": it ${rule}`);
}
