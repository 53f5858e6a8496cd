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
import { mentionedModels, type MutationVerb, namedModel, namesNothing } from "../mutation_name.ts";
import { createCurrentId } from "./current_record.ts";
import { modelOfModel, namedLast, onlyModel } from "./named_models.ts";

type Field = GraphQLField<unknown, unknown>;

/** Words that change a record, in addition to those of every mutation. */
const CHANGING = /^(change|modify|patch|set|put|assign|move|rename)$/;

/** Whether a name begins or ends with a word that changes a record. */
export function isChanging(name: string): boolean {
  const words = wordsOf(name);
  return [words[0], words.at(-1)].some((word) => CHANGING.test(word ?? ""));
}

/**
 * The action in a mutation's name: a name with both verbs, `createOrUpdatePost`, creates what it
 * doesn't find, like `upsert` and `save`.
 */
export function commonAction(
  name: string,
  verb: MutationVerb | undefined,
  models: readonly MockModel[],
): WriteAction | undefined {
  const words = wordsOf(name);
  const isBoth = words.includes("or") && words.includes("update");
  if (isBoth || words.some((word) => /^(upsert|save)$/.test(word))) return "upsert";
  if (verb === "close") return undefined;
  return verb ?? (isChanging(name) && onlyModel(name, models) !== undefined ? "update" : undefined);
}

/**
 * A name without what some APIs put around that of a table: `insertIntoPostCollection`,
 * `delete_posts_items`.
 */
function plainName(name: string): string {
  return name.replace(/^(insert)Into(.+)Collection$|^(delete)From(.+)Collection$/, "$1$3$2$4")
    .replace(/^(update)(.+)Collection$/, "$1$2")
    .replace(/(?<=s)_items?$/, "");
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
  field: Field,
  action: WriteAction | undefined,
): WrittenModel | undefined {
  if (isOneInputOf(field) && action === undefined) return undefined;
  const model = exactlyNamed(field, orm.models);
  if (model !== undefined) return { model, isPartial: false };
  const found = partlyNamed(orm, field, action);
  return found && { model: found, isPartial: !namesNothing(field.name) };
}

/**
 * The model that all of a name is about. If there are two, it is the one that is returned:
 * `projectUpdate` changes a `Project` rather than a `ProjectUpdate`.
 */
function exactlyNamed(field: Field, models: Orm["models"]): MockModel | undefined {
  const returned = returnedModel(field, models);
  const names = [field.name, plainName(field.name)];
  const among = (all: readonly MockModel[]) =>
    names.map((name) => onlyModel(name, all)).find((model) => model !== undefined);
  const named = among(models.models);
  return named !== undefined && returned !== undefined ? among([returned]) ?? named : named;
}

function partlyNamed(
  orm: Orm,
  field: Field,
  action: WriteAction | undefined,
): MockModel | undefined {
  const { models } = orm;
  const { name } = field;
  if (action === "delete") return deletedModel(models, field);
  const returned = returnedModel(field, models);
  if (isOneInputOf(field) && !namesNothing(name)) {
    const isCurrent = action === "update" && returned && createCurrentId(orm, field, returned);
    return isCurrent ? returned : undefined;
  }
  if (action === "create" && !namesNothing(name)) {
    const created = namedModel(name, models.models) ?? namedLast(name, models.models);
    return created === returned || returned === undefined ? created : undefined;
  }
  const mentioned = mentionedModels(name, models.models);
  const isOther = returned !== undefined && mentioned.length > 0 && !mentioned.includes(returned);
  return isOther ? undefined : returned;
}

/**
 * What a deletion removes if its name contains more than a model: an address in
 * `deleteCustomerAddress`, if addresses belong to one customer each. `remove` may also mean that
 * both are kept, and are no longer related.
 */
function deletedModel(models: Orm["models"], field: Field): MockModel | undefined {
  const { name } = field;
  if (namesNothing(name)) return returnedModel(field, models);
  const { owner, model } = modelOfModel(name, models.models) ?? {};
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
