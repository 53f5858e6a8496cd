import { parseArgs } from "node:util";
import { messageOf } from "../shared/error.ts";
import { defaultLimits, LIMIT_SETTINGS, type Limits } from "../shared/limits.ts";
import type { Config, ConfigValues } from "./config.ts";
import { NEW_TOKEN, SWITCHES } from "./help.ts";
import { SETTING_TEXTS, SETTINGS, TOOL_SETTINGS } from "./settings.ts";
import { ConfigError, type Env, integer } from "./values.ts";

/**
 * Reads the operator's flags and environment; a flag overrides its variable, and an empty variable
 * counts as unset. Pure. Throws a {@linkcode ConfigError} that names the setting and its value.
 */
export function parseConfig(args: readonly string[], env: Env, cores: number): Config {
  const values = readArgs(args);
  const given: Env = { ...env, ...flagsIn(values) };
  for (const { env: name, read } of TOOL_SETTINGS) read?.(name, given);
  return Object.freeze({
    ...toAction(values),
    stdio: values.stdio === true,
    ...readSettings(given),
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
    ...SETTING_TEXTS.flatMap(({ flag, isRepeatable: multiple = false }) =>
      flag ? [[flag, { type: "string", multiple }] as const] : []
    ),
  ]);
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = messageOf(error).split(". ", 1)[0];
    throw new ConfigError(`Cannot read the flags: ${reason}; see --help`);
  }
}

/** The flags with a value, by the names of their variables. */
function flagsIn(values: Arguments): Env {
  const flags: Record<string, string> = {};
  for (const { flag, env } of SETTING_TEXTS) {
    const value = flag === undefined ? undefined : values[flag];
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
