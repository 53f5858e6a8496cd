import { getNullableType, isInputObjectType } from "graphql";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { CommonField, PlannedByTypes, WriteRules } from "../convention_rules.ts";
import { type ArgumentPath, identifiedPaths } from "../mutation_input.ts";
import { createCommonMutation } from "./common_mutation.ts";
import { createNestedConventions } from "./nested_writes.ts";
import { createAnswer } from "./write_answer.ts";

/** The rules of the mutations of one handler. */
export function createWriteRules(orm: Orm): WriteRules {
  const nested = createNestedConventions(orm);
  const context = { ...orm, nested };
  return {
    nested,
    createCommonMutation: (field) => createCommonMutation(context, field) ?? complete(orm, field),
  };
}

/**
 * The plan by types, with a payload that contains more than the record. A creation whose name says
 * nothing updates the record whose `id` its input has: `renamePerson(input: { id: 1, name: "Ada" })`.
 */
function complete<Plan extends PlannedByTypes>(
  { graphQLSchema }: Orm,
  { field, verb, planned, planUpdate }: CommonField<Plan>,
): Plan | undefined {
  if (planned === undefined) return undefined;
  const { action, target: { payload, models: [model, ...others] } } = planned;
  const answer = payload && model && others.length === 0
    ? createAnswer(graphQLSchema, field.type, model)?.toValue
    : undefined;
  const id = action === "create" && verb === undefined
    ? idInInput(graphQLSchema, field, model)
    : undefined;
  if (id === undefined) return { ...planned, answer };
  const plan = planUpdate();
  const update = plan instanceof Error ? plan : { ...plan, answer };
  return { ...planned, answer, update: { id, plan: update } };
}

/** Where an `id` is in the only argument of a creation. */
function idInInput(
  graphQLSchema: Orm["graphQLSchema"],
  { args: [argument] }: CommonField<PlannedByTypes>["field"],
  model: MockModel | undefined,
): ArgumentPath | undefined {
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || model === undefined || !isInputObjectType(type)) return undefined;
  const { id } = identifiedPaths({ path: [argument.name], type, model, graphQLSchema });
  return id?.at(-1) === "id" ? id : undefined;
}
