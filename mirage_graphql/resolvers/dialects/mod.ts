/**
 * The code of the conventions, which only handlers load that follow some.
 *
 * @module
 */

import type { ConventionRules } from "../convention_rules.ts";
import { createCountResolver } from "./count.ts";
import { createListArguments } from "./list_arguments.ts";
import { createFactResolver } from "./page_facts.ts";
import { createWriteRules } from "./write_rules.ts";

/** Conventions of widespread APIs. */
export const CONVENTION_RULES: ConventionRules = {
  createListArguments,
  createCountResolver,
  createFactResolver,
  createWriteRules,
};
