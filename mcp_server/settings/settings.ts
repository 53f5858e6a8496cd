import { basename } from "node:path";
import { HOST_FORM, isLoopback } from "../access/host_and_origin.ts";
import { readOAuthSettings } from "../access/oauth_settings.ts";
import { TOKEN_FORM } from "../access/token.ts";
import { LIMIT_SETTINGS, SSH_PARALLEL } from "../shared/limits.ts";
import { LOG_LEVELS } from "../shared/log.ts";
import { SERVER_NAME } from "../tool/fleet.ts";
import type { ConfigValues } from "./config.ts";
import {
  choice,
  ConfigError,
  type Env,
  integer,
  list,
  type Read,
  text,
  zeroOrOne,
} from "./values.ts";

/** One setting as the operator sees it: an environment variable, and a flag unless it is a secret. */
export interface SettingText {
  readonly env: string;
  /** The flag's name without its dashes. */
  readonly flag?: string;
  /** The placeholder for the flag's value in the help text. */
  readonly value?: string;
  /** What it sets, for the help text. */
  readonly about: string;
  /** The same for `docs/settings.md`, where there is more room. @default {about} */
  readonly page?: string;
  /** Whether the flag may be given more than once; the values make up a list. */
  readonly isRepeatable?: boolean;
}

/** A setting whose value the server uses. */
export interface Setting<Value> extends SettingText {
  readonly read: Read<Value>;
  /** Further variables that the value comes from. */
  readonly also?: readonly SettingText[];
}

/** A command that creates a token, for messages that require one. */
export const TOKEN_COMMAND = "MCP_TOKEN=$(openssl rand -hex 32)";

const DEFAULT_HOST = "127.0.0.1";
const MOST_TOKENS = 2;
const MOST_PORT = 65_535;

/** The settings of the server, each with how its value is read, in the order of the help text. */
export const SETTINGS: { readonly [Key in keyof ConfigValues]-?: Setting<ConfigValues[Key]> } = {
  port: {
    env: "MCP_PORT",
    flag: "port",
    value: "N",
    about: "port, 0 for any free one (1234)",
    read: integer(1_234, 0, MOST_PORT),
  },
  host: {
    env: "MCP_HOST",
    flag: "host",
    value: "ADDR",
    about: `address to listen on (${DEFAULT_HOST})`,
    page: `address to listen on (${DEFAULT_HOST}); others need a token, callers or OAuth`,
    read: readHost,
  },
  tokens: {
    env: "MCP_TOKEN",
    about: "bearer token; two, with a comma, during a rotation",
    read: readTokens,
  },
  callersFile: {
    env: "MCP_CALLERS_FILE",
    flag: "callers",
    value: "FILE",
    about: "named callers, their tokens and rights (JSON, mode 0600)",
    page:
      "[named callers](callers.md), their tokens and rights; `--new-token NAME` creates a token",
    read: text,
  },
  oauth: {
    env: "MCP_OAUTH_ISSUER",
    flag: "oauth-issuer",
    value: "URL",
    about: "who issues OAuth tokens for callers",
    page: "issuer of [OAuth](oauth.md) tokens for callers, exactly as its own metadata names it",
    read: (_name, env) => {
      const reading = readOAuthSettings(env);
      if (!reading.ok) throw new ConfigError(reading.fault);
      return reading.oauth;
    },
    also: [
      {
        env: "MCP_OAUTH_RESOURCE",
        flag: "oauth-resource",
        value: "URI",
        about: "canonical URI of this server, the audience of these tokens",
      },
      {
        env: "MCP_OAUTH_JWKS",
        flag: "oauth-jwks",
        value: "URL",
        about: "keys of the issuer (discovered)",
        page: "URL of the issuer's keys (discovered)",
      },
    ],
  },
  toolFolders: {
    env: "MCP_TOOLS_DIR",
    flag: "tools",
    value: "DIR",
    about: "additional folders of tools",
    page: "additional folders of tools, separated by commas",
    isRepeatable: true,
    read: list(),
  },
  watchTools: {
    env: "MCP_WATCH_TOOLS",
    about: "1 loads tools again when their files change (0)",
    read: zeroOrOne,
  },
  allowedHosts: {
    env: "MCP_ALLOWED_HOSTS",
    flag: "allowed-hosts",
    value: "LIST",
    about: "additional Host names",
    page: "additional names by which clients may call the server",
    read: list((name, host) => {
      if (HOST_FORM.test(host)) return host;
      throw new ConfigError(
        `Cannot use ${name} "${host}": a host is like tools.example.org or [::1]:8443`,
      );
    }),
  },
  allowedOrigins: {
    env: "MCP_ALLOWED_ORIGINS",
    flag: "allowed-origins",
    value: "LIST",
    about: "origins of web pages that may call",
    read: list((name, item) => {
      const origin = URL.parse(item)?.origin;
      if (origin === item.toLowerCase() && origin !== "null") return origin;
      throw new ConfigError(
        `Cannot use ${name} "${item}": an origin is like https://example.org:8443`,
      );
    }),
  },
  console: {
    env: "MCP_CONSOLE",
    flag: "console",
    value: "on|off",
    about: "the console at / (on)",
    page: "on or off: the [console](console.md) at `/` (on)",
    read: (name, env) => choice("on", ["on", "off"])(name, env) === "on",
  },
  tls: {
    env: "MCP_TLS_CERT",
    flag: "tls-cert",
    value: "FILE",
    about: "certificate (PEM): HTTPS",
    page: "certificate (PEM): the server speaks HTTPS",
    read: (_name, { MCP_TLS_CERT: certFile, MCP_TLS_KEY: keyFile }) => {
      if (!certFile && !keyFile) return undefined;
      if (certFile && keyFile) return { certFile, keyFile };
      throw new ConfigError("Cannot serve HTTPS: set both MCP_TLS_CERT and MCP_TLS_KEY");
    },
    also: [
      { env: "MCP_TLS_KEY", flag: "tls-key", value: "FILE", about: "its private key (PEM)" },
    ],
  },
  dataFolder: {
    env: "MCP_DATA_DIR",
    flag: "data-dir",
    value: "DIR",
    about: "jobs, and SQLite files of sql-query (below ~/.local)",
    page: "[jobs](jobs.md) (`~/.local/state/trestle`) and SQLite files of `sql-query` " +
      "(`~/.local/share/trestle`)",
    read: readDataFolder,
  },
  runAs: {
    env: "MCP_RUN_AS",
    flag: "run-as",
    value: "USER",
    about: "user of commands, scripts and files; needs root",
    page: "[user](security.md#another-user) of commands, scripts and files; the server must run " +
      "as root",
    read: text,
  },
  jobs: {
    env: "MCP_JOBS_URL",
    about: "postgres://... keeps jobs there, for several servers",
    page: "`postgres://...`: several servers [share their jobs](fleet.md) there",
    read: readJobs,
    also: [
      {
        env: "MCP_JOBS_SCHEMA",
        flag: "jobs-schema",
        value: "NAME",
        about: "schema of their tables; pg-boss has NAME_boss (trestle)",
        page: "schema of their tables; those of pg-boss are in `<schema>_boss` (trestle)",
      },
    ],
  },
  name: {
    env: "MCP_NAME",
    flag: "name",
    value: "NAME",
    about: "this server's name (the host's)",
    page: "name of this server, for jobs that ask for it (the host's)",
    read: (name, env) => env[name] ? checkServerName(name, env[name]) : undefined,
  },
  labels: {
    env: "MCP_LABELS",
    flag: "labels",
    value: "LIST",
    about: "what jobs may ask of their server",
    page: "labels that jobs may ask for, such as `builder,gpu`",
    read: list(checkServerName),
  },
  auditFile: {
    env: "MCP_AUDIT_FILE",
    flag: "audit-file",
    value: "FILE",
    about: "where the audit goes (stderr)",
    page: "where the audit goes, mode 0600 (stderr)",
    read: text,
  },
  metricsPort: {
    env: "MCP_METRICS_PORT",
    flag: "metrics-port",
    value: "N",
    about: "port for /metrics alone, without a token",
    page: "port for [`/metrics`](metrics.md) alone, without a token",
    read: integer(undefined, 0, MOST_PORT),
  },
  containment: {
    env: "MCP_CONTAINMENT",
    flag: "containment",
    value: "MODE",
    about: "control groups: off, auto or required (auto)",
    page: "[control groups](commands.md#control-groups) for commands: off, auto or required (auto)",
    read: readContainment,
    also: [
      {
        env: "MCP_COMMAND_MEMORY_BYTES",
        flag: "command-memory-bytes",
        value: "N",
        about: "memory of one command, bytes",
        page: "memory that one command may use; beyond it the command is ended",
      },
      {
        env: "MCP_COMMAND_PIDS",
        flag: "command-pids",
        value: "N",
        about: "processes and threads of one command",
        page: "processes and threads that one command may have",
      },
      {
        env: "MCP_COMMAND_CPU",
        flag: "command-cpu",
        value: "N",
        about: "processors of one command, such as 0.5",
        page: "processors that one command may use, such as 0.5",
      },
    ],
  },
  logLevel: {
    env: "MCP_LOG_LEVEL",
    flag: "log-level",
    value: "LEVEL",
    about: "debug, info, warn or error (info)",
    read: choice("info", LOG_LEVELS),
  },
};

/** The settings that tools read; those with `read` are checked at the start of the server. */
export const TOOL_SETTINGS: readonly (SettingText & { readonly read?: Read<unknown> })[] = [
  {
    env: "MCP_JS_RUNTIME",
    flag: "js-runtime",
    value: "PROG",
    about: "node, deno or bun for java-script",
    page: "node, deno or bun for `java-script` (the first on PATH)",
    read: (name, env) => {
      const runtime = env[name] || "node";
      if (/^(node(js)?|deno|bun)$/.test(basename(runtime))) return runtime;
      throw new ConfigError(`Cannot use ${name} "${runtime}": it must be node, deno or bun`);
    },
  },
  {
    env: "DATABASE_URL",
    about: "postgres://... for sql-query; PG* variables also work",
    page: "`postgres://...` for `sql-query`; `PG*` variables also work",
  },
  {
    env: "MCP_DATABASE_<NAME>",
    about: "postgres://... or sqlite:///path, as database <name>",
    page: "`postgres://...` or `sqlite:///path`: the database `<name>`",
  },
  {
    env: "MCP_SQL_READ_ONLY",
    about: "1 makes every batch of sql-query read-only",
    page: "`1` makes every batch of `sql-query` read-only",
  },
  {
    env: "MCP_SSH_KEY",
    flag: "ssh-key",
    value: "FILE",
    about: "the only key to log in with",
    page: "the only key file that `ssh-exec` logs in with",
  },
  { env: "MCP_SSH_PASSPHRASE", about: "passphrase of the keys" },
  { env: "MCP_SSH_PASSWORD", about: "password, tried last" },
  {
    env: "MCP_SSH_HOST_KEYS",
    flag: "ssh-host-keys",
    value: "MODE",
    about: "strict or accept-new, for unknown hosts (strict)",
    page: "strict or accept-new, for hosts not in known_hosts (strict)",
    read: choice("strict", ["strict", "accept-new"]),
  },
  {
    env: "MCP_SSH_ALLOWED_HOSTS",
    flag: "ssh-allowed-hosts",
    value: "LIST",
    about: "patterns of the only hosts that ssh-exec may reach",
    page: "patterns (`*.example.org`, `10.0.0.*:22`) of the only hosts to reach, jumps included",
  },
  {
    env: SSH_PARALLEL.env,
    flag: SSH_PARALLEL.flag,
    value: "N",
    about: `concurrent hosts of one call (${SSH_PARALLEL.fallback})`,
    read: integer(SSH_PARALLEL.fallback, SSH_PARALLEL.min, SSH_PARALLEL.max),
  },
];

/** Every variable with its flag, in the order of the help text. */
export const SETTING_TEXTS: readonly SettingText[] = Object.freeze([
  ...Object.values(SETTINGS).flatMap((setting) => [setting, ...setting.also ?? []]),
  ...TOOL_SETTINGS,
  ...LIMIT_SETTINGS.map((limit) => ({ ...limit, value: "N" })),
]);

function readHost(name: string, env: Env): string {
  return (env[name] || DEFAULT_HOST).replace(/^\[(.*)\]$/, "$1");
}

/**
 * Reads the tokens of the caller `default`. Throws if there are none although the address is
 * reachable by others and nothing else says who may call.
 */
function readTokens(name: string, env: Env): string[] {
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
function readDataFolder(name: string, env: Env): ConfigValues["dataFolder"] {
  const { [name]: named, XDG_STATE_HOME: state, HOME: home } = env;
  if (named) return { path: named.replace(/(?<=.)\/+$/, ""), named: true };
  const parent = state?.startsWith("/") ? state : home ? `${home}/.local/state` : undefined;
  return parent === undefined ? undefined : { path: `${parent}/trestle`, named: false };
}

/** Reads where jobs are shared; messages have no part of a URL, which may hold a password. */
function readJobs(name: string, env: Env): ConfigValues["jobs"] {
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

function checkServerName(setting: string, name: string): string {
  if (SERVER_NAME.test(name)) return name;
  throw new ConfigError(
    `Cannot use ${setting} "${name}": it must have letters, digits and "._-" only, 63 at most`,
  );
}

const readMemory = integer(undefined, 2 ** 20, 2 ** 50);
const readPids = integer(undefined, 1, 2 ** 22);

/** Reads whether commands run in control groups, and what one of them may use. */
function readContainment(name: string, env: Env): ConfigValues["containment"] {
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
