/**
 * The code of the conventions, which only handlers load that follow some.
 *
 * @module
 */

import type { ConventionRules } from "../convention_rules.ts";
import { createCommonMutation } from "./common_mutation.ts";
import { createCountResolver } from "./count.ts";
import { createListArguments } from "./list_arguments.ts";
import { createFactResolver } from "./page_facts.ts";
import { createAnswer } from "./write_answer.ts";

/** Conventions of widespread APIs. */
export const CONVENTION_RULES: ConventionRules = {
  createListArguments,
  createCountResolver,
  createFactResolver,
  createCommonMutation,
  createPayloadAnswer: ({ type }, model) => createAnswer(type, model)?.toValue,
};
