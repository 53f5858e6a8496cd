import { SSH_PARALLEL } from "../shared/limits.ts";
import { choice, integer, type Read, type SettingText } from "./config.ts";
import { readJsRuntime } from "./read_settings.ts";

/** The settings that tools read; those with `read` are checked at the start of the server. */
export const TOOL_SETTINGS: readonly (SettingText & { readonly read?: Read<unknown> })[] = [
  {
    env: "MCP_JS_RUNTIME",
    flag: "js-runtime",
    value: "PROG",
    about: "node, deno or bun for java-script",
    page: "node, deno or bun for `java-script` (the first on PATH)",
    read: readJsRuntime,
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
