/**
 * The code of the conventions, which is loaded only by handlers that follow some.
 *
 * @module
 */

import { createCompletion } from "../../orm/writes/complete_record.ts";
import type { ConventionRules } from "../convention_rules.ts";
import { createCountResolver } from "./count.ts";
import { createGenerate, withGenerated } from "./generated_value.ts";
import { createListArguments } from "./list_arguments.ts";
import { createFactResolver } from "./page_facts.ts";
import { createScalarConnectionResolver } from "./scalar_connection.ts";
import { createSharedListResolver, createSharedPageResolver } from "./shared_page.ts";
import { createWriteRules } from "./write_rules.ts";

/** Conventions of widespread APIs. */
export const CONVENTION_RULES: ConventionRules = {
  createListArguments,
  createCountResolver,
  createFactResolver,
  createScalarConnectionResolver,
  createSharedPageResolver,
  createSharedListResolver,
  createWriteRules,
  createGenerate,
  withGenerated,
  createCompletion: (orm) => createCompletion(orm),
};
