import { LIMIT_SETTINGS, SSH_PARALLEL } from "../shared/limits.ts";

/** One setting as the operator sees it: an environment variable, and a flag unless it is a secret. */
export interface Setting {
  readonly env: string;
  /** The flag's name without its dashes. */
  readonly flag?: string;
  /** The placeholder for the value in the help text. */
  readonly value?: string;
  readonly about: string;
}

/** Every setting but the limits, in the order of the help text. */
const MAIN_SETTINGS: readonly Setting[] = [
  { env: "MCP_PORT", flag: "port", value: "N", about: "port, 0 for any free one (1234)" },
  { env: "MCP_HOST", flag: "host", value: "ADDR", about: "address to listen on (127.0.0.1)" },
  { env: "MCP_TOKEN", about: "bearer token; two, with a comma, during a rotation" },
  {
    env: "MCP_CALLERS_FILE",
    flag: "callers",
    value: "FILE",
    about: "named callers, their tokens and rights (JSON, mode 0600)",
  },
  {
    env: "MCP_OAUTH_ISSUER",
    flag: "oauth-issuer",
    value: "URL",
    about: "who issues OAuth tokens for callers",
  },
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
  },
  { env: "MCP_TOOLS_DIR", flag: "tools", value: "DIR", about: "additional folders of tools" },
  { env: "MCP_WATCH_TOOLS", about: "1 loads tools again when their files change (0)" },
  {
    env: "MCP_ALLOWED_HOSTS",
    flag: "allowed-hosts",
    value: "LIST",
    about: "additional Host names",
  },
  {
    env: "MCP_ALLOWED_ORIGINS",
    flag: "allowed-origins",
    value: "LIST",
    about: "origins of web pages that may call",
  },
  { env: "MCP_CONSOLE", flag: "console", value: "on|off", about: "the console at / (on)" },
  { env: "MCP_TLS_CERT", flag: "tls-cert", value: "FILE", about: "certificate (PEM): HTTPS" },
  { env: "MCP_TLS_KEY", flag: "tls-key", value: "FILE", about: "its private key (PEM)" },
  {
    env: "MCP_JS_RUNTIME",
    flag: "js-runtime",
    value: "PROG",
    about: "node, deno or bun for java-script",
  },
  { env: "DATABASE_URL", about: "postgres://... for sql-query; PG* variables also work" },
  { env: "MCP_DATABASE_<NAME>", about: "postgres://... or sqlite:///path, as database <name>" },
  {
    env: "MCP_DATA_DIR",
    flag: "data-dir",
    value: "DIR",
    about: "jobs, and SQLite files of sql-query (below ~/.local)",
  },
  {
    env: "MCP_RUN_AS",
    flag: "run-as",
    value: "USER",
    about: "user of commands, scripts and files; needs root",
  },
  { env: "MCP_JOBS_URL", about: "postgres://... keeps jobs there, for several servers" },
  {
    env: "MCP_JOBS_SCHEMA",
    flag: "jobs-schema",
    value: "NAME",
    about: "schema of their tables; pg-boss has NAME_boss (trestle)",
  },
  { env: "MCP_NAME", flag: "name", value: "NAME", about: "this server's name (the host's)" },
  { env: "MCP_LABELS", flag: "labels", value: "LIST", about: "what jobs may ask of their server" },
  { env: "MCP_SQL_READ_ONLY", about: "1 makes every batch of sql-query read-only" },
  {
    env: "MCP_AUDIT_FILE",
    flag: "audit-file",
    value: "FILE",
    about: "where the audit goes (stderr)",
  },
  {
    env: "MCP_METRICS_PORT",
    flag: "metrics-port",
    value: "N",
    about: "port for /metrics alone, without a token",
  },
  {
    env: "MCP_CONTAINMENT",
    flag: "containment",
    value: "MODE",
    about: "control groups: off, auto or required (auto)",
  },
  {
    env: "MCP_COMMAND_MEMORY_BYTES",
    flag: "command-memory-bytes",
    value: "N",
    about: "memory of one command, bytes",
  },
  {
    env: "MCP_COMMAND_PIDS",
    flag: "command-pids",
    value: "N",
    about: "processes and threads of one command",
  },
  {
    env: "MCP_COMMAND_CPU",
    flag: "command-cpu",
    value: "N",
    about: "processors of one command, such as 0.5",
  },
  {
    env: "MCP_LOG_LEVEL",
    flag: "log-level",
    value: "LEVEL",
    about: "debug, info, warn or error (info)",
  },
];

/** The settings of `ssh-exec`, in the order of the help text. */
const SSH_SETTINGS: readonly Setting[] = [
  { env: "MCP_SSH_KEY", flag: "ssh-key", value: "FILE", about: "the only key to log in with" },
  { env: "MCP_SSH_PASSPHRASE", about: "passphrase of the keys" },
  { env: "MCP_SSH_PASSWORD", about: "password, tried last" },
  {
    env: "MCP_SSH_HOST_KEYS",
    flag: "ssh-host-keys",
    value: "MODE",
    about: "strict or accept-new, for unknown hosts (strict)",
  },
  {
    env: "MCP_SSH_ALLOWED_HOSTS",
    flag: "ssh-allowed-hosts",
    value: "LIST",
    about: "patterns of the only hosts that ssh-exec may reach",
  },
  {
    env: SSH_PARALLEL.env,
    flag: SSH_PARALLEL.flag,
    value: "N",
    about: `concurrent hosts of one call (${SSH_PARALLEL.fallback})`,
  },
];

/** Every setting, the limits included. */
export const SETTINGS: readonly Setting[] = Object.freeze([
  ...MAIN_SETTINGS,
  ...SSH_SETTINGS,
  ...LIMIT_SETTINGS.map(({ env, flag, about }) => ({ env, flag, value: "N", about })),
]);

/** The flag that creates a token for a caller. */
export const NEW_TOKEN = Object.freeze({
  flag: "new-token",
  value: "NAME",
  about: "print a token and its line for the callers file",
});

/** The flags that take no value. */
export const SWITCHES = Object.freeze({
  stdio: "serve MCP over stdin and stdout instead of HTTP",
  check: "load the tools, print their table and exit",
  help: "print this text and exit",
  version: "print the version and exit",
});
