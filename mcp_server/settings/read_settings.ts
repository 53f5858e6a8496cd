import { basename } from "node:path";
import {
  HOST_FORM,
  HOST_PATTERN,
  isLoopback,
  isPathPattern,
  PATH_PATTERN_RULE,
  type Rights,
  TOKEN_FORM,
  TOOL_PATTERN,
} from "../access/caller.ts";
import { readOAuthSettings } from "../access/oauth_settings.ts";
import { SERVER_NAME } from "../tool/job.ts";
import {
  choice,
  ConfigError,
  type ConfigValues,
  type Env,
  integer,
  list,
  zeroOrOne,
} from "./config.ts";

/** A command that creates a token, for messages that require one. */
export const TOKEN_COMMAND = "MCP_TOKEN=$(openssl rand -hex 32)";

/** The address to listen on unless one is named. */
export const DEFAULT_HOST = "127.0.0.1";
const MOST_TOKENS = 2;

/** Reads the address to listen on; an IPv6 address may be in brackets. */
export function readHost(name: string, env: Env): string {
  return (env[name] || DEFAULT_HOST).replace(/^\[(.*)\]$/, "$1");
}

/**
 * Reads the tokens of the caller `default`. Throws if there are none although the address is
 * reachable by others and nothing else says who may call.
 */
export function readTokens(name: string, env: Env): string[] {
  const tokens = env[name] ? env[name].split(",").map((token) => token.trim()) : [];
  if (tokens.length > MOST_TOKENS) {
    throw new ConfigError(`Cannot use ${name}: it has ${tokens.length} tokens, 2 are the most`);
  }
  if (!tokens.every((token) => TOKEN_FORM.test(token))) {
    throw new ConfigError(
      `Cannot use ${name}: a token has letters, digits and "-._~+/" only; try ${TOKEN_COMMAND}`,
    );
  }
  const { MCP_CALLERS_FILE: file, MCP_OAUTH_ISSUER: issuer } = env;
  const host = readHost("MCP_HOST", env);
  if (tokens.length === 0 && !file && !issuer && !isLoopback(host)) {
    throw new ConfigError(
      `Cannot listen on "${host}" without a token: set ${TOKEN_COMMAND} or MCP_CALLERS_FILE`,
    );
  }
  return tokens;
}

/** The folder of this user's state (XDG Base Directory Specification), unless one is named. */
export function readDataFolder(name: string, env: Env): ConfigValues["dataFolder"] {
  const { [name]: named, XDG_STATE_HOME: state, HOME: home } = env;
  if (named) return { path: named.replace(/(?<=.)\/+$/, ""), named: true };
  const parent = state?.startsWith("/") ? state : home ? `${home}/.local/state` : undefined;
  return parent === undefined ? undefined : { path: `${parent}/trestle`, named: false };
}

/** Reads where jobs are shared; messages have no part of a URL, which may hold a password. */
export function readJobs(name: string, env: Env): ConfigValues["jobs"] {
  const { [name]: url, MCP_JOBS_SCHEMA } = env;
  const schema = MCP_JOBS_SCHEMA || "trestle";
  if (!/^(?!pg_)[a-z_][a-z0-9_]{0,50}$/.test(schema) || schema === "public") {
    throw new ConfigError(
      `Cannot use MCP_JOBS_SCHEMA "${schema}": it must be of its own, with a-z, 0-9 and _ only`,
    );
  }
  if (!url) return undefined;
  const { protocol, host } = URL.parse(url) ?? {};
  if (!/^postgres(ql)?:$/.test(protocol ?? "") || host === "") {
    throw new ConfigError(`Cannot use ${name}: it must be postgres://user@host/database`);
  }
  return { url, schema };
}

/** Checks the form of a name or label of a server. */
export function checkServerName(setting: string, name: string): string {
  if (SERVER_NAME.test(name)) return name;
  throw new ConfigError(
    `Cannot use ${setting} "${name}": it must have letters, digits and "._-" only, 63 at most`,
  );
}

/** Checks the form of the name or a pattern of tools. */
export function checkToolPattern(setting: string, pattern: string): string {
  if (TOOL_PATTERN.test(pattern)) return pattern;
  throw new ConfigError(
    `Cannot use ${setting} "${pattern}": it must be the name or a pattern of tools, such as ssh-*`,
  );
}

const readMemory = integer(undefined, 2 ** 20, 2 ** 50);
const readPids = integer(undefined, 1, 2 ** 22);

/** Reads whether commands run in control groups, and what one of them may use. */
export function readContainment(name: string, env: Env): ConfigValues["containment"] {
  const mode = choice("auto", ["off", "auto", "required"])(name, env);
  const memoryBytes = readMemory("MCP_COMMAND_MEMORY_BYTES", env);
  const pids = readPids("MCP_COMMAND_PIDS", env);
  const cpu = readCpu("MCP_COMMAND_CPU", env);
  const [limit] = ["MCP_COMMAND_MEMORY_BYTES", "MCP_COMMAND_PIDS", "MCP_COMMAND_CPU"]
    .filter((limit) => env[limit]);
  if (mode === "off" && limit !== undefined) {
    throw new ConfigError(`Cannot use ${limit} with ${name} "off": it needs control groups`);
  }
  const limits = { ...memoryBytes && { memoryBytes }, ...pids && { pids }, ...cpu && { cpu } };
  return { mode, limits };
}

function readCpu(name: string, env: Env): number | undefined {
  const text = env[name];
  if (!text) return undefined;
  const cpu = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && cpu >= 0.01 && cpu <= 4_096) return cpu;
  throw new ConfigError(`Cannot use ${name} "${text}": it must be 0.01 to 4096 processors`);
}

/** Reads whose OAuth tokens are accepted, if any are. */
export function readOAuth(_name: string, env: Env): ConfigValues["oauth"] {
  const reading = readOAuthSettings(env);
  if (!reading.ok) throw new ConfigError(reading.fault);
  return reading.oauth;
}

/** Checks the form of a name by which clients may call the server. */
export function checkHostName(setting: string, host: string): string {
  if (HOST_FORM.test(host)) return host;
  throw new ConfigError(
    `Cannot use ${setting} "${host}": a host is like tools.example.org or [::1]:8443`,
  );
}

/** Checks the form of an origin, and returns it in lower case. */
export function checkOrigin(setting: string, text: string): string {
  const origin = URL.parse(text)?.origin;
  if (origin === text.toLowerCase() && origin !== "null") return origin;
  throw new ConfigError(
    `Cannot use ${setting} "${text}": an origin is like https://example.org:8443`,
  );
}

/** Reads where the certificate and its private key are; one of them alone is an error. */
export function readTls(_name: string, env: Env): ConfigValues["tls"] {
  const { MCP_TLS_CERT: certFile, MCP_TLS_KEY: keyFile } = env;
  if (!certFile && !keyFile) return undefined;
  if (certFile && keyFile) return { certFile, keyFile };
  throw new ConfigError("Cannot serve HTTPS: set both MCP_TLS_CERT and MCP_TLS_KEY");
}

/** Reads the program that runs JavaScript. */
export function readJsRuntime(name: string, env: Env): string {
  const runtime = env[name] || "node";
  if (/^(node(js)?|deno|bun)$/.test(basename(runtime))) return runtime;
  throw new ConfigError(`Cannot use ${name} "${runtime}": it must be node, deno or bun`);
}

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
