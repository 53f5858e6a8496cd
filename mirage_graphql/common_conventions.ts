import type { ConventionOptions, ConventionSwitches } from "./conventions/options.ts";
import { COMMON, defineDialect } from "./every_dialect.ts";

/** Gives the options that name no dialects those of `"common"`. */
export function withCommon<Options extends ConventionOptions>(options: Options): Options {
  const { conventions } = options;
  if (conventions === undefined || conventions === "strict") return options;
  if (conventions === "common") return { ...options, conventions: COMMON };
  if (Array.isArray(conventions)) {
    return { ...options, conventions: conventions.map(defineDialect) };
  }
  if (typeof conventions !== "object" || conventions === null) return options;
  const switches: ConventionSwitches = { dialects: COMMON, ...conventions };
  return { ...options, conventions: switches };
}
