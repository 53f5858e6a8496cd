import { messageOf } from "../../domain/error.ts";
import { SshError } from "./ssh_error.ts";

/** What `~/.ssh/config` says of one host (ssh_config(5)). */
export interface HostConfig {
  readonly hostName?: string;
  readonly port?: number;
  readonly user?: string;
  /** Key files, with `~` and the tokens that stand for the home folder put in. */
  readonly identityFiles: readonly string[];
  /** The hops before the host, as they are written; none for `none`. */
  readonly jumps: readonly string[];
  readonly connectTimeoutMs?: number;
  readonly hostKeyAlias?: string;
  /** The config wants a program to make the connection, which is not supported. */
  readonly proxyCommand: boolean;
}

/** Looks up what the config says of a host that is called by this name. */
export type ConfigLookup = (name: string, user?: string) => HostConfig;

const NOTHING: HostConfig = { identityFiles: [], jumps: [], proxyCommand: false };

/** Reads `~/.ssh/config` below a home folder; without the file every lookup finds nothing. */
export async function readSshConfig(home: string): Promise<ConfigLookup> {
  const path = `${home}/.ssh/config`;
  const text = await readText(path);
  if (text.trim() === "") return () => NOTHING;
  const { default: SshConfig } = await import("ssh-config");
  // The parser would start a program for this one.
  const config = SshConfig.parse(text.replace(/^[ \t]*CanonicalizeHostName\b.*$/gim, ""));
  return (name, user) => {
    const query = user === undefined ? { Host: name } : { Host: name, User: user };
    return toHostConfig(config.compute(query, { ignoreCase: true, matchExec: false }), name, home);
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw new SshError(`Cannot read "${path}": ${messageOf(error)}`, "resolve");
  }
}

type Computed = Readonly<Record<string, string | string[]>>;

function toHostConfig(values: Computed, name: string, home: string): HostConfig {
  const one = (key: string) => [values[key] ?? []].flat()[0];
  const number = (key: string) => /^\d+$/.test(one(key) ?? "") ? Number(one(key)) : undefined;
  const timeout = number("connecttimeout");
  const jumps = one("proxyjump") ?? "none";
  const command = [values.proxycommand ?? []].flat().join(" ");
  return {
    hostName: one("hostname")?.replaceAll("%h", name).replaceAll("%%", "%"),
    port: number("port"),
    user: one("user"),
    identityFiles: [values.identityfile ?? []].flat()
      .filter((file) => file.toLowerCase() !== "none")
      .map((file) => inHome(file, home)),
    jumps: jumps.toLowerCase() === "none" ? [] : jumps.split(",").map((jump) => jump.trim()),
    connectTimeoutMs: timeout ? timeout * 1_000 : undefined,
    hostKeyAlias: one("hostkeyalias"),
    proxyCommand: command !== "" && command.toLowerCase() !== "none",
  };
}

function inHome(file: string, home: string): string {
  return file.replace(/^~(?=\/)/, home).replaceAll("%d", home);
}
