import type { DialectEngine } from "../convention_rules.ts";
import { createCountResolver } from "../../fields/count.ts";
import { createListArguments } from "../../arguments/list_arguments.ts";
import { createFactResolver } from "../../fields/page_facts.ts";
import { createScalarConnectionResolver } from "../../fields/scalar_connection.ts";
import { createSharedListResolver, createSharedPageResolver } from "../../fields/shared_page.ts";
import { createWriteRules } from "./write_rules.ts";

/** The code that follows dialects. */
export const ENGINE: DialectEngine = {
  createListArguments,
  createCountResolver,
  createFactResolver,
  createScalarConnectionResolver,
  createSharedPageResolver,
  createSharedListResolver,
  createWriteRules,
};
