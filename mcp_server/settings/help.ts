import type { Limits } from "../shared/limits.ts";
import { LIMIT_SETTINGS } from "../shared/limits.ts";
import { NEW_TOKEN, type Setting, SETTINGS, SWITCHES } from "./settings.ts";

/** The text that `--help` of a program prints; `limits` are the defaults on this machine. */
export function helpText(program: string, limits: Limits): string {
  const switches = Object.entries(SWITCHES).map(([flag, about]) => [`--${flag}`, "", about]);
  const newToken = [flagText(NEW_TOKEN), "", NEW_TOKEN.about];
  const settings = SETTINGS.map((setting) => [flagText(setting), setting.env, aboutText(setting)]);
  return `Runs commands, scripts, file operations and SQL on this host, and commands on others over SSH, for
MCP clients and HTTP callers.

Usage: ${program} [flags]

A flag overrides its variable. The items of a list are separated by commas.

${toColumns([...switches, newToken, ...settings])}
`;

  function aboutText({ env, about }: Setting): string {
    const limit = LIMIT_SETTINGS.find((candidate) => candidate.env === env);
    return limit === undefined ? about : `${about} (${limits[limit.key]})`;
  }
}

function flagText({ flag, value }: Pick<Setting, "flag" | "value">): string {
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
