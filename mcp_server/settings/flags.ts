import { parseArgs } from "node:util";
import { messageOf } from "../shared/error.ts";
import { NEW_TOKEN, SETTINGS, SWITCHES } from "./settings.ts";
import { ConfigError, type Env } from "./setting_value.ts";

/** The flag that may be given more than once. */
const REPEATABLE = "tools";

/** What the arguments of the program say. */
export interface Flags {
  /** The flags with a value, by the names of their variables. */
  readonly flags: Env;
  /** The first of the actions that are asked for, in this order: help, version, a token, check. */
  readonly action: "serve" | "check" | "help" | "version" | "new-token";
  readonly newTokenFor?: string;
  readonly stdio: boolean;
}

/** Reads the arguments of the program. Throws a {@linkcode ConfigError} for an unknown flag. */
export function parseFlags(args: readonly string[]): Flags {
  const options = Object.fromEntries([
    [NEW_TOKEN.flag, { type: "string" } as const],
    ...Object.keys(SWITCHES).map((flag) => [flag, { type: "boolean" }] as const),
    ...SETTINGS.flatMap(({ flag }) =>
      flag ? [[flag, { type: "string", multiple: flag === REPEATABLE }] as const] : []
    ),
  ]);
  const values = readArgs(args, options);
  const flags: Record<string, string> = {};
  for (const { flag, env } of SETTINGS) {
    const value = flag === undefined ? undefined : values[flag];
    if (typeof value === "string") flags[env] = value;
    if (Array.isArray(value)) flags[env] = value.join(",");
  }
  return { flags, ...toAction(values), stdio: values.stdio === true };
}

type Values = Readonly<Record<string, unknown>>;

function readArgs(
  args: readonly string[],
  options: Record<string, { type: "string" | "boolean"; multiple?: boolean }>,
): Values {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    const reason = messageOf(error).split(". ", 1)[0];
    throw new ConfigError(`Cannot read the flags: ${reason}; see --help`);
  }
}

function toAction(values: Values): Pick<Flags, "action" | "newTokenFor"> {
  if (values.help === true) return { action: "help" };
  if (values.version === true) return { action: "version" };
  const newTokenFor = values[NEW_TOKEN.flag];
  if (typeof newTokenFor === "string") return { action: "new-token", newTokenFor };
  return { action: values.check === true ? "check" : "serve" };
}
