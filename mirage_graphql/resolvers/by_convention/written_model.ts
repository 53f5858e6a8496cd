import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  isInputObjectType,
  isObjectType,
} from "graphql";
import type { WriteAction } from "../../dialects/dialect.ts";
import { wordsOf } from "../../names.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { MutationNames } from "../mutation_name.ts";
import type { MutationWords } from "../mutation_words.ts";
import type { TypedField } from "../typed_intent.ts";
import { createCurrentId } from "./current_record.ts";

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
  const isChange = isChanging(names.words, name) && names.only(name) !== undefined;
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
  const model = exactlyNamed(field, orm.models, names);
  if (model !== undefined) return { model, isPartial: false };
  const found = partlyNamed(orm, field, names, action);
  return found && { model: found, isPartial: !names.isOnlyVerb(field.name) };
}

/**
 * The model that all of a name is about. If there are two, it is the one that is returned:
 * `projectUpdate` changes a `Project` rather than a `ProjectUpdate`.
 */
function exactlyNamed(
  field: Field,
  models: Orm["models"],
  names: MutationNames,
): MockModel | undefined {
  const returned = returnedModel(field, models);
  const among = (all?: readonly MockModel[]) =>
    names.only(field.name, all) ?? names.only(plainName(field.name), all);
  const named = among();
  return named !== undefined && returned !== undefined ? among([returned]) ?? named : named;
}

function partlyNamed(
  orm: Orm,
  field: Field,
  names: MutationNames,
  action: WriteAction | undefined,
): MockModel | undefined {
  const { models } = orm;
  const { name } = field;
  if (action === "delete") return deletedModel(models, field, names);
  const returned = returnedModel(field, models);
  if (isOneInputOf(field) && !names.isOnlyVerb(name)) {
    const isCurrent = action === "update" && returned && createCurrentId(orm, field, returned);
    return isCurrent ? returned : undefined;
  }
  if (action === "create" && !names.isOnlyVerb(name)) {
    const created = names.model(name) ?? names.last(name);
    return created === returned || returned === undefined ? created : undefined;
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
  models: Orm["models"],
  field: Field,
  names: MutationNames,
): MockModel | undefined {
  const { name } = field;
  if (names.isOnlyVerb(name)) return returnedModel(field, models);
  const { owner, model } = names.owned(name) ?? {};
  if (owner === undefined || model === undefined || wordsOf(name).includes("remove")) {
    return undefined;
  }
  const isOwned = [...owner.relations.values()]
    .some(({ modelName }) => modelName === model.modelName);
  const isShared = [...model.relations.values()]
    .some(({ modelName, isList }) => isList && modelName === owner.modelName);
  return isOwned && !isShared ? model : undefined;
}

function isOneInputOf({ args }: Field): boolean {
  const [only, ...others] = args;
  return others.length === 0 && only !== undefined && isInputObjectType(getNullableType(only.type));
}

function returnedModel(field: Field, models: Orm["models"]): MockModel | undefined {
  const type = getNamedType(field.type);
  const own = models.ofType(type.name);
  if (own !== undefined || !isObjectType(type)) return own;
  const held = Object.values(type.getFields()).flatMap((held) =>
    models.ofType(getNamedType(held.type).name) ?? []
  );
  const [only, ...others] = new Set(held);
  return others.length === 0 ? only : undefined;
}
