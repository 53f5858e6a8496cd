import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { CommandLimits, ContainmentMode } from "./domain/containment.ts";
import { messageOf } from "./domain/error.ts";
import { SERVER_NAME } from "./domain/fleet.ts";
import { defaultLimits, LIMIT_SETTINGS, type Limits, SSH_PARALLEL } from "./domain/limits.ts";
import { LOG_LEVELS, type LogLevel } from "./domain/log.ts";
import { HOST_FORM, isLoopback } from "./security/host_and_origin.ts";
import { type OAuthSettings, readOAuthSettings } from "./security/oauth/oauth_settings.ts";
import { TOKEN_FORM } from "./security/token.ts";
import { NEW_TOKEN, SETTINGS, SWITCHES } from "./settings.ts";

export type { OAuthSettings } from "./security/oauth/oauth_settings.ts";

/** Environment variables by name. */
export type Env = Readonly<Record<string, string>>;

/** The operator's settings, validated. */
export interface Config {
  /** What the program is to do. */
  readonly action: "serve" | "check" | "help" | "version" | "new-token";
  /** The name of the caller for whom `new-token` creates a token. */
  readonly newTokenFor?: string;
  /** Serves MCP over stdio instead of HTTP. */
  readonly stdio: boolean;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
  /**
   * The tokens of the caller `default`. Without them, a callers file and OAuth, which only loopback
   * allows, no token is required.
   */
  readonly tokens: readonly string[];
  /** The file with the other callers, their tokens and their rights. */
  readonly callersFile?: string;
  /** Whose OAuth tokens are accepted too, and as which resource. */
  readonly oauth?: OAuthSettings;
  /** Further folders of tool modules, in order. */
  readonly toolFolders: readonly string[];
  /** Further host names by which clients may call the server. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call. */
  readonly allowedOrigins: readonly string[];
  /** Serves the console at `/`. */
  readonly console: boolean;
  /** Certificate and private key, PEM; with them the server speaks HTTPS only. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** Where the audit goes. @default {stderr} */
  readonly auditFile?: string;
  /** Where jobs are kept, and whether the operator named the folder; without it there are no jobs. */
  readonly dataFolder?: { readonly path: string; readonly named: boolean };
  /** The user as whom commands run. @default {the server's own user} */
  readonly runAs?: string;
  /** Where jobs are kept if several servers share them: PostgreSQL instead of the folder. */
  readonly jobs?: { readonly url: string; readonly schema: string };
  /** Name of this server in the fleet. @default {the name of the host} */
  readonly name?: string;
  /** Labels by which jobs may ask for this server. */
  readonly labels: readonly string[];
  /** Whether commands run in control groups, and what one of them may use. */
  readonly containment: { readonly mode: ContainmentMode; readonly limits: CommandLimits };
  /** How much is logged. */
  readonly logLevel: LogLevel;
  /** Where metrics are served without a token, and nothing else is. @default {the main port} */
  readonly metricsPort?: number;
  /** Whether calls are traced: Deno exports spans (`OTEL_DENO`). */
  readonly isTraced: boolean;
  /** Whether the tools folders are watched, so that changed tools are loaded again. */
  readonly watchTools: boolean;
  /** The limits of calls. */
  readonly limits: Limits;
  /** The environment, overridden by the flags. */
  readonly env: Env;
}

/** A setting that can't be used; its message is the one line that the operator sees. */
export class ConfigError extends Error {
  /** Name of the error class. */
  override readonly name: string = "ConfigError";
}

const JS_RUNTIMES = /^(node(js)?|deno|bun)$/;
const SCHEMA_FORM = /^(?!pg_)[a-z_][a-z0-9_]{0,50}$/;
const MOST_TOKENS = 2;
/** The flag that may be given more than once. */
const REPEATABLE = "tools";

/** A command that creates a token, for messages that require one. */
export const TOKEN_COMMAND = "MCP_TOKEN=$(openssl rand -hex 32)";

/**
 * Reads the operator's flags and environment; a flag overrides its variable, and an empty variable
 * counts as unset. Pure. Throws a {@linkcode ConfigError} that names the setting and its value.
 */
export function parseConfig(args: readonly string[], env: Env, cores: number): Config {
  const { flags, switches, newTokenFor } = parseFlags(args);
  const given: Env = { ...env, ...flags };
  const host = (given.MCP_HOST || "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  checkSshSettings(given);
  return Object.freeze({
    ...parseAction(switches, newTokenFor),
    stdio: switches.stdio === true,
    host,
    port: parseInteger("MCP_PORT", given, { fallback: 1234, min: 0, max: 65_535 }),
    tokens: parseTokens(given, host),
    ...(given.MCP_CALLERS_FILE ? { callersFile: given.MCP_CALLERS_FILE } : {}),
    ...parseOAuth(given),
    toolFolders: parseList(given.MCP_TOOLS_DIR),
    allowedHosts: parseList(given.MCP_ALLOWED_HOSTS).map(parseHostName),
    allowedOrigins: parseList(given.MCP_ALLOWED_ORIGINS).map(parseOrigin),
    console: parseConsole(given.MCP_CONSOLE || "on"),
    ...parseTls(given.MCP_TLS_CERT, given.MCP_TLS_KEY),
    ...(given.MCP_AUDIT_FILE ? { auditFile: given.MCP_AUDIT_FILE } : {}),
    ...toDataFolder(given),
    ...(given.MCP_RUN_AS ? { runAs: given.MCP_RUN_AS } : {}),
    ...parseJobsUrl(given),
    ...(given.MCP_NAME ? { name: parseServerName("MCP_NAME", given.MCP_NAME) } : {}),
    labels: parseList(given.MCP_LABELS).map((label) => parseServerName("MCP_LABELS", label)),
    containment: parseContainment(given),
    logLevel: parseLogLevel(given.MCP_LOG_LEVEL || "info"),
    ...(given.MCP_METRICS_PORT
      ? {
        metricsPort: parseInteger("MCP_METRICS_PORT", given, { fallback: 0, min: 0, max: 65_535 }),
      }
      : {}),
    isTraced: /^(true|1)$/i.test(given.OTEL_DENO ?? ""),
    watchTools: parseSwitch("MCP_WATCH_TOOLS", given),
    limits: parseLimits(given, cores),
    env: withJsRuntime(given),
  });
}

type Switches = { [Name in keyof typeof SWITCHES]?: boolean };

/** What the arguments of the program say. */
interface Flags {
  readonly flags: Env;
  readonly switches: Switches;
  readonly newTokenFor: string | undefined;
}

function parseFlags(args: readonly string[]): Flags {
  const options = Object.fromEntries([
    [NEW_TOKEN.flag, { type: "string" } as const],
    ...Object.keys(SWITCHES).map((flag) => [flag, { type: "boolean" }] as const),
    ...SETTINGS.flatMap(({ flag }) =>
      flag ? [[flag, { type: "string", multiple: flag === REPEATABLE }] as const] : []
    ),
  ]);
  const values = readArgs(args, options);
  const flags: Record<string, string> = {};
  for (const { flag, env } of SETTINGS) {
    const value = flag === undefined ? undefined : values[flag];
    if (typeof value === "string") flags[env] = value;
    if (Array.isArray(value)) flags[env] = value.join(",");
  }
  const { stdio, check, help, version, [NEW_TOKEN.flag]: newTokenFor } = values;
  return {
    flags,
    newTokenFor: typeof newTokenFor === "string" ? newTokenFor : undefined,
    switches: {
      stdio: stdio === true,
      check: check === true,
      help: help === true,
      version: version === true,
    },
  };
}

function readArgs(
  args: readonly string[],
  options: Record<string, { type: "string" | "boolean"; multiple?: boolean }>,
): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = messageOf(error).split(". ", 1)[0];
    throw new ConfigError(`Cannot read the flags: ${reason}; see --help`);
  }
}

function parseAction(
  { help, version, check }: Switches,
  newTokenFor: string | undefined,
): Pick<Config, "action" | "newTokenFor"> {
  if (help === true) return { action: "help" };
  if (version === true) return { action: "version" };
  if (newTokenFor !== undefined) return { action: "new-token", newTokenFor };
  return { action: check === true ? "check" : "serve" };
}

function parseTokens(
  { MCP_TOKEN: text = "", MCP_CALLERS_FILE: file, MCP_OAUTH_ISSUER: issuer }: Env,
  host: string,
): string[] {
  const tokens = text === "" ? [] : text.split(",").map((token) => token.trim());
  if (tokens.length > MOST_TOKENS) {
    throw new ConfigError(`Cannot use MCP_TOKEN: it has ${tokens.length} tokens, 2 are the most`);
  }
  if (!tokens.every((token) => TOKEN_FORM.test(token))) {
    throw new ConfigError(
      `Cannot use MCP_TOKEN: a token has letters, digits and "-._~+/" only; try ${TOKEN_COMMAND}`,
    );
  }
  if (tokens.length === 0 && !file && !issuer && !isLoopback(host)) {
    throw new ConfigError(
      `Cannot listen on "${host}" without a token: set ${TOKEN_COMMAND} or MCP_CALLERS_FILE`,
    );
  }
  return tokens;
}

function parseOAuth(env: Env): Pick<Config, "oauth"> {
  const reading = readOAuthSettings(env);
  if (!reading.ok) throw new ConfigError(reading.fault);
  return reading.oauth === undefined ? {} : { oauth: reading.oauth };
}

function parseInteger(
  name: string,
  env: Env,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = env[name] || String(fallback);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`Cannot use ${name} "${text}": it must be ${min} to ${max}`);
}

function parseSwitch(name: string, env: Env): boolean {
  const text = env[name] || "0";
  if (text === "0" || text === "1") return text === "1";
  throw new ConfigError(`Cannot use ${name} "${text}": it must be 0 or 1`);
}

function parseLimits(env: Env, cores: number): Limits {
  const fallbacks = defaultLimits(cores);
  const limits = { ...fallbacks };
  for (const { key, env: name, min, max } of LIMIT_SETTINGS) {
    limits[key] = parseInteger(name, env, { fallback: fallbacks[key], min, max });
  }
  return Object.freeze(limits);
}

/** Checks what `ssh-exec` reads from the environment later, so that a bad value fails at start. */
function checkSshSettings(env: Env): void {
  parseInteger(SSH_PARALLEL.env, env, SSH_PARALLEL);
  const mode = env.MCP_SSH_HOST_KEYS || "strict";
  if (mode === "strict" || mode === "accept-new") return;
  throw new ConfigError(
    `Cannot use MCP_SSH_HOST_KEYS "${mode}": it must be strict or accept-new`,
  );
}

function parseList(text: string | undefined): string[] {
  return (text ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
}

function parseHostName(text: string): string {
  if (HOST_FORM.test(text)) return text;
  throw new ConfigError(
    `Cannot use MCP_ALLOWED_HOSTS "${text}": a host is like tools.example.org or [::1]:8443`,
  );
}

function parseOrigin(text: string): string {
  const origin = URL.parse(text)?.origin;
  if (origin === text.toLowerCase() && origin !== "null") return origin;
  throw new ConfigError(
    `Cannot use MCP_ALLOWED_ORIGINS "${text}": an origin is like https://example.org:8443`,
  );
}

function parseConsole(text: string): boolean {
  if (text === "on" || text === "off") return text === "on";
  throw new ConfigError(`Cannot use MCP_CONSOLE "${text}": it must be on or off`);
}

function parseTls(cert: string | undefined, key: string | undefined): Pick<Config, "tls"> {
  if (!cert && !key) return {};
  if (cert && key) return { tls: { certFile: cert, keyFile: key } };
  throw new ConfigError("Cannot serve HTTPS: set both MCP_TLS_CERT and MCP_TLS_KEY");
}

/** The folder of this user's state (XDG Base Directory Specification), unless one is named. */
function toDataFolder(env: Env): Pick<Config, "dataFolder"> {
  const { MCP_DATA_DIR: named, XDG_STATE_HOME: state, HOME: home } = env;
  if (named) return { dataFolder: { path: named.replace(/(?<=.)\/+$/, ""), named: true } };
  const parent = state?.startsWith("/") ? state : home ? `${home}/.local/state` : undefined;
  return parent === undefined ? {} : { dataFolder: { path: `${parent}/trestle`, named: false } };
}

/** Where jobs are shared; the message has no part of a URL, which may hold a password. */
function parseJobsUrl(env: Env): Pick<Config, "jobs"> {
  const { MCP_JOBS_URL: url, MCP_JOBS_SCHEMA } = env;
  const schema = MCP_JOBS_SCHEMA || "trestle";
  if (!SCHEMA_FORM.test(schema) || schema === "public") {
    throw new ConfigError(
      `Cannot use MCP_JOBS_SCHEMA "${schema}": it must be of its own, with a-z, 0-9 and _ only`,
    );
  }
  if (!url) return {};
  const { protocol, host } = URL.parse(url) ?? {};
  if (!/^postgres(ql)?:$/.test(protocol ?? "") || host === "") {
    throw new ConfigError("Cannot use MCP_JOBS_URL: it must be postgres://user@host/database");
  }
  return { jobs: { url, schema } };
}

function parseServerName(setting: string, text: string): string {
  if (SERVER_NAME.test(text)) return text;
  throw new ConfigError(
    `Cannot use ${setting} "${text}": it must have letters, digits and "._-" only, 63 at most`,
  );
}

const CONTAINMENT_MODES: readonly ContainmentMode[] = ["off", "auto", "required"];
const MOST_BYTES = 2 ** 50;

function parseContainment(env: Env): Config["containment"] {
  const text = env.MCP_CONTAINMENT || "auto";
  const mode = CONTAINMENT_MODES.find((candidate) => candidate === text);
  if (mode === undefined) {
    throw new ConfigError(
      `Cannot use MCP_CONTAINMENT "${text}": it must be one of ${CONTAINMENT_MODES.join(", ")}`,
    );
  }
  const limits = parseCommandLimits(env);
  const [limit] = ["MCP_COMMAND_MEMORY_BYTES", "MCP_COMMAND_PIDS", "MCP_COMMAND_CPU"]
    .filter((name) => env[name]);
  if (mode === "off" && limit !== undefined) {
    throw new ConfigError(
      `Cannot use ${limit} with MCP_CONTAINMENT "off": it needs control groups`,
    );
  }
  return { mode, limits };
}

function parseCommandLimits(env: Env): CommandLimits {
  const { MCP_COMMAND_MEMORY_BYTES: memory, MCP_COMMAND_PIDS: pids, MCP_COMMAND_CPU: cpu } = env;
  const whole = (name: string, min: number, max: number) =>
    parseInteger(name, env, { fallback: min, min, max });
  return {
    ...(memory ? { memoryBytes: whole("MCP_COMMAND_MEMORY_BYTES", 2 ** 20, MOST_BYTES) } : {}),
    ...(pids ? { pids: whole("MCP_COMMAND_PIDS", 1, 2 ** 22) } : {}),
    ...(cpu ? { cpu: parseCpu(cpu) } : {}),
  };
}

function parseCpu(text: string): number {
  const cpu = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && cpu >= 0.01 && cpu <= 4_096) return cpu;
  throw new ConfigError(`Cannot use MCP_COMMAND_CPU "${text}": it must be 0.01 to 4096 processors`);
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level !== undefined) return level;
  throw new ConfigError(
    `Cannot use MCP_LOG_LEVEL "${text}": it must be one of ${LOG_LEVELS.join(", ")}`,
  );
}

function withJsRuntime(env: Env): Env {
  const runtime = env.MCP_JS_RUNTIME ?? "";
  if (runtime === "" || JS_RUNTIMES.test(basename(runtime))) return env;
  throw new ConfigError(`Cannot use MCP_JS_RUNTIME "${runtime}": it must be node, deno or bun`);
}
