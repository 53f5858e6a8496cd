import { SshError } from "./ssh2.ts";
import type { SshFiles } from "./ssh_files.ts";
import { parseConfigLines } from "./config_lines.ts";
import { computeConfig, type ConfigValues } from "./config_values.ts";

/** Looks up what a config says about a host name, for an account if the call names one. */
export type BuiltInConfig = (name: string, user: string | undefined) => ConfigValues;

const MOST_BYTES = 1024 * 1024;

/**
 * Reads `~/.ssh/config` below a home folder without OpenSSH; without the file every lookup finds
 * nothing.
 */
export async function readBuiltInConfig(home: string, files: SshFiles): Promise<BuiltInConfig> {
  const path = `${home}/.ssh/config`;
  const fail = (state: string) => new SshError(`Cannot read "${path}": ${state}`, "resolve");
  const { text = "", fault } = await files.read(path, MOST_BYTES);
  if (fault !== undefined) throw fail(fault);
  const parsed = parseConfigLines(text);
  if (!parsed.ok) throw fail(parsed.fault);
  return (name, user) => computeConfig(parsed.lines, name, user);
}
