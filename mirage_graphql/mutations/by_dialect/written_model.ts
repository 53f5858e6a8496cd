import { getNamedType, getNullableType, type GraphQLField, isInputObjectType } from "graphql";
import type { WriteAction } from "../../dialects/dialect.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { returnedModels } from "../by_convention/returned_models.ts";
import { typeKeys } from "../mutation_input.ts";
import { longest, type Mention, type MutationNames, type MutationWords } from "../mutation_name.ts";
import type { TypedField } from "../typed_intent.ts";
import { createCurrentId } from "./reading_intent.ts";

type Field = GraphQLField<unknown, unknown>;

/** Whether a name begins or ends with a word that changes a record. */
export function isChanging(words: MutationWords, name: string): boolean {
  const own = wordsOf(name);
  return [own[0], own.at(-1)].some((word) => words.is("change", word));
}

/**
 * The action in a mutation's name: a name with both verbs, `createOrUpdatePost`, creates what it
 * doesn't find, like `upsert` and `save`.
 */
export function commonAction(
  { field: { name }, verb, names }: TypedField,
): WriteAction | undefined {
  const own = wordsOf(name);
  const isBoth = own.includes("or") && own.includes("update");
  if (isBoth || own.some((word) => names.words.is("upsert", word))) return "upsert";
  if (verb === "close") return undefined;
  const isChange = isChanging(names.words, name) && onlyModel(names, name) !== undefined;
  return verb ?? (isChange ? "update" : undefined);
}

/** A name without what some APIs put around that of a table: `delete_posts_items`. */
function plainName(name: string): string {
  return name.replace(/(?<=s)_items?$/, "");
}

/** The model that a mutation writes. */
export interface WrittenModel {
  readonly model: MockModel;
  /** Whether the name says more than the model, so that it may be about a part of the record. */
  readonly isPartial: boolean;
}

/**
 * The model that a mutation's name refers to. A mutation that takes more than one input object may
 * also write the only model that it returns, if the name contains no other.
 */
export function writtenModel(
  orm: Orm,
  { field, names }: TypedField,
  action: WriteAction | undefined,
): WrittenModel | undefined {
  if (isOneInputOf(field) && action === undefined) return undefined;
  const model = exactlyNamed(orm, field, names);
  if (model !== undefined) return { model, isPartial: false };
  const found = partlyNamed(orm, field, names, action);
  return found && { model: found, isPartial: !names.isOnlyVerb(field.name) };
}

/**
 * The model that all of a name is about. If there are two, it is the one that is returned:
 * `projectUpdate` changes a `Project` rather than a `ProjectUpdate`.
 */
function exactlyNamed(orm: Orm, field: Field, names: MutationNames): MockModel | undefined {
  const returned = returnedModel(orm, field);
  const among = (all?: readonly MockModel[]) =>
    onlyModel(names, field.name, all) ?? onlyModel(names, plainName(field.name), all);
  const named = among();
  if (named === undefined || returned === undefined) return named;
  return among([returned]) ?? (isShortFor(names, field.name, returned) ? returned : named);
}

/** Whether a name has the last words of a type: `addComment` for an `IssueComment`. */
function isShortFor(names: MutationNames, name: string, { typeName }: MockModel): boolean {
  const own = names.split(name).filter((word) => !names.isFiller(word)).join("");
  return typeKeys(typeName).includes(own);
}

function partlyNamed(
  orm: Orm,
  field: Field,
  names: MutationNames,
  action: WriteAction | undefined,
): MockModel | undefined {
  const { name } = field;
  if (action === "delete") return deletedModel(orm, field, names);
  const returned = returnedModel(orm, field);
  if (action === "create" && !names.isOnlyVerb(name)) {
    if (returned !== undefined && isShortFor(names, name, returned)) return returned;
    const ending = returned === undefined ? endingModel(orm, field, names) : undefined;
    if (ending !== undefined || isOneInputOf(field)) return ending;
    const created = names.model(name) ?? lastModel(names, name);
    return created === returned || returned === undefined ? created : undefined;
  }
  if (isOneInputOf(field) && !names.isOnlyVerb(name)) {
    const isCurrent = action === "update" && returned && createCurrentId(orm, field, returned);
    return isCurrent ? returned : undefined;
  }
  const mentioned = names.mentioned(name);
  const isOther = returned !== undefined && mentioned.length > 0 && !mentioned.includes(returned);
  return isOther ? undefined : returned;
}

/**
 * What a deletion removes if its name contains more than a model: an address in
 * `deleteCustomerAddress`, if addresses belong to one customer each. `remove` may also mean that
 * both are kept, and are no longer related.
 */
function deletedModel(
  orm: Orm,
  field: Field,
  names: MutationNames,
): MockModel | undefined {
  const { name } = field;
  if (names.isOnlyVerb(name)) return returnedModel(orm, field);
  const [only, ...others] = field.args;
  const ending = endingModel(orm, field, names);
  if (only?.name === "id" && others.length === 0 && ending !== undefined) return ending;
  const { owner, model } = modelOfModel(names, name) ?? {};
  if (owner === undefined || model === undefined || wordsOf(name).includes("remove")) {
    return undefined;
  }
  const isOwned = [...owner.relations.values()]
    .some(({ modelName }) => modelName === model.modelName);
  const isShared = [...model.relations.values()]
    .some(({ modelName, isList }) => isList && modelName === owner.modelName);
  return isOwned && !isShared ? model : undefined;
}

/**
 * The model at the end of what a name says, if the payload has it: `Address` in
 * `accountAddressDelete(id)`.
 */
function endingModel(orm: Orm, field: Field, names: MutationNames): MockModel | undefined {
  const words = names.split(field.name);
  const isPlain = !words.includes("remove") &&
    !words.some((word) => names.words.is("prepositions", word));
  if (!isPlain || isRecordType(orm, field)) return undefined;
  const own = words.filter((word) => !names.words.verbs.has(word));
  const ending = longest(names.mentions(own).filter(({ end }) => end === own.length))?.model;
  return ending && returnedModels(orm, field.type).models.includes(ending) ? ending : undefined;
}

function isRecordType({ models }: Orm, { type }: Field): boolean {
  return models.ofType(getNamedType(type).name) !== undefined;
}

function isOneInputOf({ args }: Field): boolean {
  const [only, ...others] = args;
  return others.length === 0 && only !== undefined && isInputObjectType(getNullableType(only.type));
}

/** The only model of what is returned, or of the fields of a payload that have one. */
function returnedModel(orm: Orm, { type }: Field): MockModel | undefined {
  const { groups } = returnedModels(orm, type);
  const held = new Set(
    groups.flatMap(([model, ...others]) =>
      model !== undefined && others.length === 0 ? [model] : []
    ),
  );
  const [only, ...others] = held;
  return others.length === 0 ? only : undefined;
}

/**
 * The keys at the end of a name, in normalized form: `slug` of `updatePostBySlug`, and two of
 * `deleteLikeByUserIdAndPostId`.
 */
export function keysInName(name: string): string[] {
  const words = wordsOf(name);
  const start = words.lastIndexOf("by") + 1;
  if (start === 0) return [];
  return words.slice(start).join(" ").split(" and ").map((key) => key.replaceAll(" ", ""));
}

/**
 * The model that a whole name is about, except for a verb and keys: not `Label` in
 * `removeLabelsFromIssue`.
 */
function onlyModel(
  names: MutationNames,
  name: string,
  among?: readonly MockModel[],
): MockModel | undefined {
  const words = names.split(name, among);
  const by = words.lastIndexOf("by");
  return names.exact(words, among) ?? names.exact(words.slice(0, by < 1 ? 0 : by), among);
}

/**
 * The last model of a name that begins with a verb, up to a preposition: `Post` in
 * `createShinyPostForUser`, but none in `createPostReminder`.
 */
function lastModel(names: MutationNames, name: string): MockModel | undefined {
  const words = names.split(name);
  const cut = words.findIndex((word, index) => index > 0 && names.words.is("prepositions", word));
  const own = cut > 0 ? words.slice(0, cut) : words;
  if (!names.words.verbs.has(own[0] ?? "")) return undefined;
  return longest(names.mentions(own).filter(({ end }) => end === own.length))?.model;
}

/**
 * The model whose name comes last in a row of models, as `Address` in `deleteCustomerAddress`, and
 * the one before it; `undefined` if the name has other words too, or fewer models.
 */
function modelOfModel(
  names: MutationNames,
  name: string,
): { readonly owner: MockModel; readonly model: MockModel } | undefined {
  const words = names.split(name).filter((word) => !names.isFiller(word));
  const all = names.mentions(words);
  const isSingular = ({ model, start, end }: Mention) =>
    keyOf(model.typeName) === words.slice(start, end).join("");
  for (const last of all.filter((one) => one.end === words.length && isSingular(one))) {
    const owner = all.find(({ start, end }) => start === 0 && end === last.start);
    if (owner !== undefined) return { owner: owner.model, model: last.model };
  }
  return undefined;
}
