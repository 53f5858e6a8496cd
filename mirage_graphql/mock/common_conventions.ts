import { type ConventionOptions, isDialects } from "../dialects/options.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { COMMON, defineDialect } from "./built_in_dialects.ts";

/** Gives the options that name no dialects those of `"common"`. */
export function withCommon<Options extends ConventionOptions>(options: Options): Options {
  const { conventions } = options;
  if (conventions === undefined || conventions === "strict") return options;
  if (conventions === "common") return { ...options, conventions: COMMON };
  if (isDialects(conventions)) {
    return { ...options, conventions: conventions.map(defined) };
  }
  if (typeof conventions !== "object" || conventions === null) return options;
  const { dialects = COMMON, ...switches } = conventions;
  return { ...options, conventions: { ...switches, dialects: dialects.map(defined) } };
}

function defined(dialect: Dialect): Dialect {
  return "engine" in Object(dialect) ? dialect : defineDialect(dialect);
}
