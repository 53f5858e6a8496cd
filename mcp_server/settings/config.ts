import { checkToolSettings, parseContainment, parseLimits } from "./command_settings.ts";
import {
  parseHostName,
  parseOAuth,
  parseOrigin,
  parseTls,
  parseTokens,
} from "./access_settings.ts";
import { parseFlags } from "./flags.ts";
import { parseJobsUrl, parseServerIdentity, toDataFolder } from "./job_settings.ts";
import { type Env, parseChoice, parseInteger, parseList, parseSwitch } from "./setting_value.ts";
import type { CommandLimits, ContainmentMode, Limits } from "../shared/limits.ts";
import { LOG_LEVELS, type LogLevel } from "../shared/log.ts";
import type { OAuthSettings } from "../access/oauth_settings.ts";

export { TOKEN_COMMAND } from "./access_settings.ts";
export { ConfigError, type Env } from "./setting_value.ts";
export type { OAuthSettings } from "../access/oauth_settings.ts";

const PORTS = { min: 0, max: 65_535 };

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

/**
 * Reads the operator's flags and environment; a flag overrides its variable, and an empty variable
 * counts as unset. Pure. Throws a {@linkcode ConfigError} that names the setting and its value.
 */
export function parseConfig(args: readonly string[], env: Env, cores: number): Config {
  const { flags, ...said } = parseFlags(args);
  const given: Env = { ...env, ...flags };
  const host = (given.MCP_HOST || "127.0.0.1").replace(/^\[(.*)\]$/, "$1");
  checkToolSettings(given);
  return Object.freeze({
    ...said,
    host,
    port: parseInteger("MCP_PORT", given, { fallback: 1234, ...PORTS }),
    tokens: parseTokens(given, host),
    ...(given.MCP_CALLERS_FILE ? { callersFile: given.MCP_CALLERS_FILE } : {}),
    ...parseOAuth(given),
    toolFolders: parseList(given.MCP_TOOLS_DIR),
    allowedHosts: parseList(given.MCP_ALLOWED_HOSTS).map(parseHostName),
    allowedOrigins: parseList(given.MCP_ALLOWED_ORIGINS).map(parseOrigin),
    console: parseChoice("MCP_CONSOLE", given, { fallback: "on", choices: ["on", "off"] }) === "on",
    ...parseTls(given),
    ...(given.MCP_AUDIT_FILE ? { auditFile: given.MCP_AUDIT_FILE } : {}),
    ...toDataFolder(given),
    ...(given.MCP_RUN_AS ? { runAs: given.MCP_RUN_AS } : {}),
    ...parseJobsUrl(given),
    ...parseServerIdentity(given),
    containment: parseContainment(given),
    logLevel: parseChoice("MCP_LOG_LEVEL", given, { fallback: "info", choices: LOG_LEVELS }),
    ...(given.MCP_METRICS_PORT
      ? { metricsPort: parseInteger("MCP_METRICS_PORT", given, { fallback: 0, ...PORTS }) }
      : {}),
    isTraced: /^(true|1)$/i.test(given.OTEL_DENO ?? ""),
    watchTools: parseSwitch("MCP_WATCH_TOOLS", given),
    limits: parseLimits(given, cores),
    env: given,
  });
}
