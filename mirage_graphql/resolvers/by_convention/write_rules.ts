import type { Orm } from "../../orm/orm.ts";
import type { WriteRules } from "../convention_rules.ts";
import { createCommonMutation } from "./common_mutation.ts";
import { createNestedConventions } from "./nested_writes.ts";
import { createAnswer } from "./write_answer.ts";

const created = new WeakMap<Orm, WriteRules>();

/** The rules of the mutations of one handler; the same ones each time. */
export function createWriteRules(orm: Orm): WriteRules {
  const known = created.get(orm);
  if (known !== undefined) return known;
  const nested = createNestedConventions(orm);
  const context = { ...orm, nested };
  const rules: WriteRules = {
    nested,
    createCommonMutation: (field) => createCommonMutation(context, field),
    createPayloadAnswer: ({ type }, model) => createAnswer(orm.graphQLSchema, type, model)?.toValue,
  };
  created.set(orm, rules);
  return rules;
}
