import type { Orm } from "../../orm/orm.ts";
import type { WriteRules } from "../convention_rules.ts";
import { guessIntent } from "./common_mutation.ts";
import { createNestedConventions } from "./nested_writes.ts";

/** The rules of the mutations of one handler. */
export function createWriteRules(orm: Orm): WriteRules {
  const nested = createNestedConventions(orm);
  const context = { ...orm, nested };
  return { nested, interpret: (subject, typed) => guessIntent(context, subject, typed) };
}
