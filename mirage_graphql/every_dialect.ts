import type { Dialect } from "./dialects/dialect.ts";
import { ENGINE } from "./resolvers/by_convention/engine.ts";
import type { DefinedDialect } from "./resolvers/convention_rules.ts";

/** Adds the code that follows dialects to one. */
export function defineDialect(dialect: Dialect): DefinedDialect {
  return { ...dialect, engine: ENGINE };
}

/** The guesses. */
export const general: DefinedDialect = defineDialect({ name: "general" });

/** All of them: what `"common"` stands for. */
export const COMMON: readonly DefinedDialect[] = [general];
