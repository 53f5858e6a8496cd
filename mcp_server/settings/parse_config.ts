import { parseArgs } from "node:util";
import { messageOf } from "../shared/error.ts";
import { defaultLimits, LIMIT_SETTINGS, type Limits } from "../shared/limits.ts";
import {
  type Config,
  ConfigError,
  type ConfigValues,
  type Env,
  integer,
  type SettingText,
} from "./config.ts";
import { SETTING_TEXTS, SETTINGS } from "./settings.ts";
import { TOOL_SETTINGS } from "./tool_settings.ts";

/**
 * Reads the operator's flags and environment; a flag overrides its variable, and an empty variable
 * counts as unset. Pure. Throws a {@linkcode ConfigError} that names the setting and its value.
 */
export function parseConfig(args: readonly string[], env: Env, cores: number): Config {
  const values = readArgs(args);
  const given: Env = { ...env, ...flagsIn(values) };
  for (const { env: name, read } of TOOL_SETTINGS) read?.(name, given);
  const stdio = values.stdio === true;
  const settings = readSettings(given);
  if (settings.caller !== undefined && !stdio) {
    throw new ConfigError(
      `Cannot use MCP_CALLER "${settings.caller}" over HTTP: there the token says who calls`,
    );
  }
  return Object.freeze({
    ...toAction(values),
    stdio,
    ...settings,
    isTraced: /^(true|1)$/i.test(given.OTEL_DENO ?? ""),
    limits: readLimits(given, cores),
    env: given,
  });
}

/** Reads every row of the table; the type of the table says that each yields the field of its name. */
function readSettings(env: Env): ConfigValues {
  const entries = Object.entries(SETTINGS).map(([key, { env: name, read }]) =>
    [key, read(name, env)] as const
  );
  return Object.fromEntries(entries) as unknown as ConfigValues;
}

/** Reads the limits of calls; some defaults depend on the number of cores. */
function readLimits(env: Env, cores: number): Limits {
  const fallbacks = defaultLimits(cores);
  const limits = { ...fallbacks };
  for (const { key, env: name, min, max } of LIMIT_SETTINGS) {
    limits[key] = integer(fallbacks[key], min, max)(name, env);
  }
  return Object.freeze(limits);
}

type Arguments = Readonly<Record<string, unknown>>;

function readArgs(args: readonly string[]): Arguments {
  const options = Object.fromEntries([
    [NEW_TOKEN.flag, { type: "string" } as const],
    ...Object.keys(SWITCHES).map((flag) => [flag, { type: "boolean" }] as const),
    ...SETTING_TEXTS.flatMap(({ flag, value, isRepeatable: multiple = false }) =>
      flag ? [[flag, { type: value ? "string" : "boolean", multiple }] as const] : []
    ),
  ]);
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = messageOf(error).split(". ", 1)[0];
    throw new ConfigError(`Cannot read the flags: ${reason}; see --help`);
  }
}

/** The flags of settings, by the names of their variables; one without a value is 1. */
function flagsIn(values: Arguments): Env {
  const flags: Record<string, string> = {};
  for (const { flag, env } of SETTING_TEXTS) {
    const value = flag === undefined ? undefined : values[flag];
    if (value === "") {
      throw new ConfigError(`Cannot use --${flag} "": it is empty; leave the flag out instead`);
    }
    if (value === true) flags[env] = "1";
    if (typeof value === "string") flags[env] = value;
    if (Array.isArray(value)) flags[env] = value.join(",");
  }
  return flags;
}

/** The first of the actions that are asked for, in this order: help, version, a token, check. */
function toAction(values: Arguments): Pick<Config, "action" | "newTokenFor"> {
  if (values.help === true) return { action: "help" };
  if (values.version === true) return { action: "version" };
  const newTokenFor = values[NEW_TOKEN.flag];
  if (typeof newTokenFor === "string") return { action: "new-token", newTokenFor };
  return { action: values.check === true ? "check" : "serve" };
}

/** The flag that creates a token for a caller. */
const NEW_TOKEN = Object.freeze({
  flag: "new-token",
  value: "NAME",
  about: "print a token and its line for the callers file",
});

/** The flags that take no value. */
const SWITCHES = Object.freeze({
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
  return flag === undefined ? "" : value === undefined ? `--${flag}` : `--${flag} ${value}`;
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
