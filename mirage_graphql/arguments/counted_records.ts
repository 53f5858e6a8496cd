import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isObjectType,
} from "graphql";
import type { MockModel, ModelMap, Relation } from "../orm/models/model_map.ts";
import { countedKey, keyOf, wordsOf } from "../shared/names.ts";
import { stemOf } from "../shared/word_stem.ts";
import { isList } from "../schema/types.ts";

/** The records that a number counts although its type has no list of them, and how they refer to it. */
export interface CountedRecords {
  readonly model: MockModel;
  readonly relation: Relation;
}

/**
 * The records that a number such as `Tag.scene_count` counts: those of the model in its name, by
 * their only relation to the type. `undefined` for other fields.
 */
export function countedRecords(
  models: ModelMap,
  owner: MockModel,
  { name, type }: Pick<GraphQLField<unknown, unknown>, "name" | "type">,
): CountedRecords | undefined {
  const key = String(getNullableType(type)) === "Int" ? countedKey(name) : undefined;
  const isNamed = ({ typeName, collectionName }: MockModel) =>
    keyOf(typeName) === key || keyOf(collectionName) === key;
  const model = key === undefined ? undefined : models.models.find(isNamed);
  const [relation, ...others] = [...model?.relations.values() ?? []]
    .filter(({ modelName }) => modelName === owner.modelName);
  return model && relation && others.length === 0 ? { model, relation } : undefined;
}

/** Whether a record's foreign key has an id. */
export function refersTo(
  { relation }: CountedRecords,
  record: Readonly<Record<string, unknown>>,
  id: unknown,
): boolean {
  const key = record[relation.foreignKey];
  return Array.isArray(key)
    ? key.some((one) => String(one) === String(id))
    : String(key) === String(id);
}

/** The records of a list that a number counts: all, or those with a Boolean. */
export interface CountedList {
  readonly model: MockModel;
  readonly relation: Relation;
  /** The Boolean that the records have to have; `undefined` for all. */
  readonly flag: string | undefined;
}

/**
 * What a number counts that is named after no list: `totalCount` the records of the only list of its
 * type, and `completedCount` those with `complete`. `undefined` for other fields.
 */
export function countedInList(
  { graphQLSchema, models }: { readonly graphQLSchema: GraphQLSchema; readonly models: ModelMap },
  { relations }: MockModel,
  { name, type, args }: Pick<GraphQLField<unknown, unknown>, "name" | "type" | "args">,
): CountedList | undefined {
  const isNumber = String(getNullableType(type)) === "Int" && args.length === 0;
  const key = isNumber ? countedKey(name) : undefined;
  const [relation, ...others] = [...relations.values()].filter((one) => one.isList);
  const model = models.models.find(({ modelName }) => modelName === relation?.modelName);
  if (key === undefined || relation === undefined || others.length > 0 || !model) return undefined;
  if (key === "") return { model, relation, flag: undefined };
  const itemType = graphQLSchema.getType(model.typeName);
  const [flag, ...more] = Object.values(isObjectType(itemType) ? itemType.getFields() : {})
    .filter((field) => getNamedType(field.type).name === "Boolean" && !isList(field.type))
    .filter((field) => stateOf(field.name) === stateOf(wordsOf(name).slice(0, -1).join(" ")));
  return flag && more.length === 0 ? { model, relation, flag: flag.name } : undefined;
}

/** The state that a name such as `isCompleted` says. */
function stateOf(name: string): string {
  return wordsOf(name).filter((word) => !/^(is|has|was|total)$/.test(word)).map(stemOf).join(" ");
}
