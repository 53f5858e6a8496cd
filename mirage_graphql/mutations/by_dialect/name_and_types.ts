import { getNullableType, type GraphQLField, isInputObjectType } from "graphql";
import type { WriteAction } from "../../dialects/dialect.ts";
import { hasField, type MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { keyOf } from "../../shared/names.ts";
import { returnedModels } from "../by_convention/returned_models.ts";
import { type ArgumentPath, identifiedPaths, inputsOf } from "../mutation_input.ts";
import { longest } from "../mutation_name.ts";
import type { TypedField, TypedIntent } from "../typed_intent.ts";
import type { Refusal } from "../write_intent.ts";
import { isFindingName, isOwnId } from "./argument_roles.ts";

type Field = GraphQLField<unknown, unknown>;

/** Whether a name has a verb that creates, or none at all. */
export function mayCreate({ field, names, verb }: TypedField): boolean {
  return verb === "create" || isBare(names, field.name);
}

/** Where an `id` is in the only argument of a creation. */
export function idInInput(
  graphQLSchema: Orm["graphQLSchema"],
  { args: [argument] }: Field,
  model: MockModel | undefined,
): ArgumentPath | undefined {
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || model === undefined || !isInputObjectType(type)) return undefined;
  const { id } = identifiedPaths({ path: [argument.name], type, model, graphQLSchema });
  return id?.at(-1) === "id" ? id : undefined;
}

/** The reason why the types say something different from the name and the arguments. */
export function contradiction(
  orm: Orm,
  subject: TypedField,
  typed: TypedIntent,
  action: WriteAction | undefined,
): Refusal | undefined {
  const { field, isExplicit } = subject;
  const [model] = typed.models;
  if (model === undefined || isExplicit) return undefined;
  const id = typed.id?.at(-1) ?? "";
  if (isIdOfOther(orm, model, id)) {
    return { reason: `takes "${id}", which is not an id of ${model.typeName}` };
  }
  const isWithoutId = idInInput(orm.graphQLSchema, field, model) === undefined;
  if (typed.action === "create" && !mayCreate(subject) && isWithoutId) {
    return { reason: "has values for a new record, and its name has no verb that creates one" };
  }
  if (typed.action !== "delete" || action === "delete") return undefined;
  return { reason: "takes only an ID, and its name does not say that it deletes" };
}

/** Whether an id is named after another model: `orderLineId` for an `OrderLineDiscount`. */
function isIdOfOther({ models }: Orm, model: MockModel, name: string): boolean {
  const key = keyOf(name).replace(/id$/, "");
  const isNamed = models.models.some(({ typeName }) => keyOf(typeName) === key);
  return isNamed && !keyOf(model.typeName).endsWith(key) && key !== keyOf(name);
}

/** Whether the types say the same as the name and the keys. */
export function isExplained(
  orm: Orm,
  { field, isExplicit, names }: TypedField,
  typed: TypedIntent,
  action: WriteAction | undefined,
): boolean {
  const { words } = names;
  const { graphQLSchema } = orm;
  const [model, ...others] = typed.models;
  if (model === undefined) return false;
  if (isExplicit) return !(action === "create" && typed.action === "delete");
  const id = typed.id?.at(-1);
  const isOtherKey = id !== undefined && others.length === 0 &&
    !isOwnId({ graphQLSchema, model }, id) && hasField(graphQLSchema, model, id);
  if (action === undefined) return typed.action === "create" && isBare(names, field.name);
  if (id !== undefined && isIdOfOther(orm, model, id)) return false;
  const isFilter = (typed.id?.length ?? 0) > 1 && isFindingName(words, typed.id?.[0] ?? "");
  return typed.action === action && !isOtherKey && !isFilter;
}

/** `vote(linkId: ID!): Vote`: the name of a model alone, and values for its fields. */
export function isBareCreation(orm: Orm, { field, names }: TypedField): boolean {
  const [model] = names.mentioned(field.name);
  const leaves = inputsOf(field.args);
  return model !== undefined && isBare(names, field.name) && leaves.length > 0 &&
    returnedModels(orm, field.type).models.includes(model) &&
    leaves.every(({ name }) => name !== "id" && hasField(orm.graphQLSchema, model, name));
}

/** Whether a name consists of the name of a model, and of no verb. */
export function isBare(names: TypedField["names"], name: string): boolean {
  const words = names.split(name);
  const mention = longest(names.mentions(words));
  const rest = mention ? words.toSpliced(mention.start, mention.end - mention.start) : words;
  return mention !== undefined &&
    rest.every((word) => names.words.is("fillers", word) && !isVerb(names, word));
}

function isVerb({ words }: TypedField["names"], word: string): boolean {
  return words.is("change", word) || words.is("upsert", word) || words.verbs.has(word);
}
