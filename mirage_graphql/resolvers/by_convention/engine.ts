import type { DialectEngine } from "../convention_rules.ts";
import { createCountResolver } from "./count.ts";
import { createListArguments } from "./list_arguments.ts";
import { createFactResolver } from "./page_facts.ts";
import { createScalarConnectionResolver } from "./scalar_connection.ts";
import { createSharedListResolver, createSharedPageResolver } from "./shared_page.ts";
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
