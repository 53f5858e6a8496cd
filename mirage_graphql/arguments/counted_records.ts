import { getNullableType, type GraphQLField } from "graphql";
import type { MockModel, ModelMap, Relation } from "../orm/models/model_map.ts";
import { keyOf } from "../shared/names.ts";
import { countedKey } from "./targets.ts";

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
