import { userInfo } from "node:os";
import { SSH_PARALLEL } from "../../shared/limits.ts";

/** The operator's settings of `ssh-exec`. */
export interface SshSettings {
  /** The folder that contains `.ssh`. */
  readonly home: string;
  /** The shell that runs a `ProxyCommand`. */
  readonly shell: string;
  /** The account to log in with if neither the call nor the config names one, without OpenSSH. */
  readonly user: string;
  /** Socket of the SSH agent. */
  readonly agent?: string;
  /** The one key file to use instead of those that OpenSSH would try. */
  readonly keyFile?: string;
  readonly passphrase?: string;
  readonly password?: string;
  /** Adds the keys of unknown hosts to known_hosts. */
  readonly acceptNew: boolean;
  /** Patterns of the hosts that may be reached; `undefined` for all. */
  readonly allowedHosts?: readonly string[];
  /** How many hosts of one call run commands at once. */
  readonly parallel: number;
}

/** Reads the operator's settings; an empty variable counts as unset. */
export function parseSshSettings(env: (name: string) => string | undefined): SshSettings {
  const allowed = env("MCP_SSH_ALLOWED_HOSTS");
  return {
    home: env("HOME") || userInfo().homedir,
    shell: env("SHELL") || "/bin/sh",
    user: env("USER") || env("LOGNAME") || userInfo().username,
    agent: env("SSH_AUTH_SOCK") || undefined,
    keyFile: env("MCP_SSH_KEY") || undefined,
    passphrase: env("MCP_SSH_PASSPHRASE") || undefined,
    password: env("MCP_SSH_PASSWORD") || undefined,
    acceptNew: env("MCP_SSH_HOST_KEYS") === "accept-new",
    allowedHosts: allowed ? allowed.split(",").map((part) => part.trim()) : undefined,
    parallel: Number(env(SSH_PARALLEL.env)) || SSH_PARALLEL.fallback,
  };
}
