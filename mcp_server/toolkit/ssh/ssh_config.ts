import { messageOf } from "../../domain/error.ts";
import { computeConfig, type ConfigValues } from "./config_values.ts";
import { SshError } from "./ssh_error.ts";
import { readSshFile } from "./ssh_file.ts";

/** What `~/.ssh/config` says about one host (ssh_config(5)). */
export interface HostConfig {
  readonly hostName?: string;
  readonly port?: number;
  readonly user?: string;
  /** Key files, with `~` and the tokens for the home folder expanded. */
  readonly identityFiles: readonly string[];
  /** The hops before the host, as they are written; none for `none`. */
  readonly jumps: readonly string[];
  readonly connectTimeoutMs?: number;
  readonly hostKeyAlias?: string;
  /** Whether the config requires a program to make the connection, which is not supported. */
  readonly proxyCommand: boolean;
}

/** Looks up what the config says about a host name. */
export type ConfigLookup = (name: string, user?: string) => HostConfig;

const NOTHING: HostConfig = { identityFiles: [], jumps: [], proxyCommand: false };

const MOST_BYTES = 1024 * 1024;
/** As long as a command may run. */
const MOST_CONNECT_MS = 600_000;

/** Reads `~/.ssh/config` below a home folder; without the file every lookup finds nothing. */
export async function readSshConfig(home: string): Promise<ConfigLookup> {
  const path = `${home}/.ssh/config`;
  const fail = (state: string) => new SshError(`Cannot read "${path}": ${state}`, "resolve");
  const { text = "", fault } = await readSshFile(path, MOST_BYTES);
  if (fault !== undefined) throw fail(fault);
  if (text.trim() === "") return () => NOTHING;
  const { default: SshConfig } = await import("ssh-config");
  try {
    const lines = SshConfig.parse(text);
    return (name, user) => toHostConfig(computeConfig(lines, name, user), name, home);
  } catch (error) {
    throw fail(messageOf(error));
  }
}

function toHostConfig(values: ConfigValues, name: string, home: string): HostConfig {
  const one = (key: string) => values.get(key)?.[0];
  const number = (key: string) => /^\d+$/.test(one(key) ?? "") ? Number(one(key)) : undefined;
  const timeout = number("connecttimeout");
  const jumps = one("proxyjump") ?? "none";
  const command = (values.get("proxycommand") ?? []).join(" ");
  return {
    hostName: one("hostname")?.replaceAll("%h", name).replaceAll("%%", "%"),
    port: number("port"),
    user: one("user"),
    identityFiles: (values.get("identityfile") ?? [])
      .filter((file) => file.toLowerCase() !== "none")
      .map((file) => inHome(file, home)),
    jumps: jumps.toLowerCase() === "none" ? [] : jumps.split(",").map((jump) => jump.trim()),
    connectTimeoutMs: timeout ? Math.min(timeout * 1_000, MOST_CONNECT_MS) : undefined,
    hostKeyAlias: one("hostkeyalias"),
    proxyCommand: command !== "" && command.toLowerCase() !== "none",
  };
}

function inHome(file: string, home: string): string {
  return file.replace(/^~(?=\/)/, home).replaceAll("%d", home);
}
