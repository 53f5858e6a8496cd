import { LIMIT_SETTINGS, type Limits } from "../shared/limits.ts";
import { SETTING_TEXTS, type SettingText } from "./settings.ts";

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

/** The text that `--help` of a program prints; `limits` are the defaults on this machine. */
export function helpText(program: string, limits: Limits): string {
  const switches = Object.entries(SWITCHES).map(([flag, about]) => [`--${flag}`, "", about]);
  const newToken = [flagText(NEW_TOKEN), "", NEW_TOKEN.about];
  const settings = SETTING_TEXTS.map((
    setting,
  ) => [flagText(setting), setting.env, aboutText(setting)]);
  return `Runs commands, scripts, file operations and SQL on this host, and commands on others over SSH, for
MCP clients and HTTP callers.

Usage: ${program} [flags]

A flag overrides its variable. The items of a list are separated by commas.

${toColumns([...switches, newToken, ...settings])}
`;

  function aboutText({ env, about }: SettingText): string {
    const limit = LIMIT_SETTINGS.find((candidate) => candidate.env === env);
    return limit === undefined ? about : `${about} (${limits[limit.key]})`;
  }
}

function flagText({ flag, value }: Pick<SettingText, "flag" | "value">): string {
  return flag === undefined ? "" : `--${flag} ${value}`;
}

/** Formats rows in columns that are as wide as their widest cell. */
export function toColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ").trimEnd())
    .join("\n");
}
