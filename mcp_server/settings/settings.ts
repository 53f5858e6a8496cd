import { LIMIT_SETTINGS } from "../shared/limits.ts";
import { LOG_LEVELS } from "../shared/log.ts";
import {
  choice,
  type ConfigValues,
  integer,
  list,
  type Setting,
  type SettingText,
  text,
  zeroOrOne,
} from "./config.ts";
import {
  checkHostName,
  checkOrigin,
  checkServerName,
  checkToolPattern,
  DEFAULT_HOST,
  readCaller,
  readContainment,
  readDataFolder,
  readHost,
  readJobs,
  readOAuth,
  readOwnRights,
  readTls,
  readTokens,
} from "./read_settings.ts";
import { TOOL_SETTINGS } from "./tool_settings.ts";

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
    about: "named callers, tokens and rights (JSON, mode 0600)",
    page:
      "[named callers](callers.md), their tokens and rights; `--new-token NAME` creates a token",
    read: text,
  },
  caller: {
    env: "MCP_CALLER",
    flag: "caller",
    value: "NAME",
    about: "the named caller that stdio serves (default)",
    page: "the [named caller](callers.md#over-stdio) that stdio serves, with its rights (default)",
    read: readCaller,
  },
  ownRights: {
    env: "MCP_ONLY",
    flag: "only",
    value: "LIST",
    about: "the only tools, such as sql-*,read-file",
    page:
      "names or patterns of the only tools that the caller [`default`](callers.md#over-stdio) " +
      "has, such as `sql-*,read-file`",
    read: readOwnRights,
    also: [
      {
        env: "MCP_READ_ONLY",
        flag: "read-only",
        about: "only tools that change nothing, and databases to read",
        page: "`1`: it has only tools that change nothing, and may only read databases",
      },
      {
        env: "MCP_ONLY_PATHS",
        flag: "paths",
        value: "LIST",
        about: "the only files, such as /srv/**",
        page: "patterns of the only files that it may use, such as `/srv/**`",
      },
      {
        env: "MCP_ONLY_HOSTS",
        flag: "hosts",
        value: "LIST",
        about: "the only hosts, such as web-*",
        page: "patterns of the only hosts that it may reach, such as `web-*`",
      },
      {
        env: "MCP_ONLY_DATABASES",
        flag: "databases",
        value: "LIST",
        about: "the only databases, such as main=ro,scratch=rw",
        page: "the only databases that it may use, such as `main=ro,scratch=rw`",
      },
    ],
  },
  secretsFile: {
    env: "MCP_SECRETS_FILE",
    flag: "secrets",
    value: "FILE",
    about: "secrets that calls name, as variables (JSON, mode 0600)",
    page: "[secrets](secrets.md) that calls name, and commands get as variables",
    read: text,
  },
  oauth: {
    env: "MCP_OAUTH_ISSUER",
    flag: "oauth-issuer",
    value: "URL",
    about: "who issues OAuth tokens for callers",
    page: "issuer of [OAuth](oauth.md) tokens for callers, exactly as its own metadata names it",
    read: readOAuth,
    also: [
      {
        env: "MCP_OAUTH_RESOURCE",
        flag: "oauth-resource",
        value: "URI",
        about: "canonical URI of this server, audience of these tokens",
      },
      {
        env: "MCP_OAUTH_JWKS",
        flag: "oauth-jwks",
        value: "URL",
        about: "keys of the issuer (discovered)",
        page: "URL of the issuer's keys (discovered)",
      },
      {
        env: "MCP_OAUTH_CONSOLE_CLIENT_ID",
        flag: "oauth-console",
        value: "ID",
        about: "lets people log in to the console at the issuer",
        page:
          "id by which the issuer knows the [console](oauth.md#console), where people log in with it",
      },
    ],
  },
  ask: {
    env: "MCP_ASK",
    flag: "ask",
    value: "LIST",
    about: "tools whose calls need approval, such as ssh-*",
    page: "names or patterns of tools whose calls need [approval](approval.md)",
    read: list(checkToolPattern),
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
    read: list(checkHostName),
  },
  allowedOrigins: {
    env: "MCP_ALLOWED_ORIGINS",
    flag: "allowed-origins",
    value: "LIST",
    about: "origins of web pages that may call",
    read: list(checkOrigin),
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
    read: readTls,
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
  auditArgs: {
    env: "MCP_AUDIT_ARGS",
    about: "1 adds arguments to the audit, without secrets (0)",
    page: "`1` adds the [arguments](security.md#audit) of calls to the audit (0)",
    read: zeroOrOne,
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

/** Every variable with its flag, in the order of the help text. */
export const SETTING_TEXTS: readonly SettingText[] = Object.freeze([
  ...Object.values(SETTINGS).flatMap((setting) => [setting, ...setting.also ?? []]),
  ...TOOL_SETTINGS,
  ...LIMIT_SETTINGS.map((limit) => ({ ...limit, value: "N" })),
]);
