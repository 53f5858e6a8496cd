import { isMirageCollection, isObject } from "../orm/mirage.ts";
import type { Relation } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { MockRecord } from "../orm/records/record_store.ts";

/** The ids that a foreign key holds: plain ones, or the `{ type, id }` of polymorphic relations. */
export function foreignIds(key: unknown): readonly unknown[] {
  if (key === null || key === undefined) return [];
  return Array.isArray(key) ? key : [key];
}

/** Follows a foreign key to its records. */
export type Follow = (key: unknown) => unknown;

/**
 * Plans how to follow a relation. A list has the records in the order of the ids, without those that
 * are gone; a single relation has its record, or `null`.
 */
export function createFollow(orm: Orm, relation: Relation): Follow {
  const find = createFind(orm, relation);
  if (!relation.isList) {
    return (key) => key === null || key === undefined ? null : find(key) ?? null;
  }
  return (key) => {
    const records = foreignIds(key).map(find);
    return records.includes(undefined) ? records.filter((record) => record !== undefined) : records;
  };
}

type Find = (id: unknown) => MockRecord | undefined;

function createFind({ models, store }: Orm, { modelName }: Relation): Find {
  if (modelName === undefined) {
    return (key) => {
      if (!isObject(key) || typeof key.type !== "string") return undefined;
      const model = models.ofModel(key.type);
      return model && store.of(model).find(key.id);
    };
  }
  const model = models.ofModel(modelName);
  const reader = model && store.of(model);
  return (id) => reader?.find(id);
}

/** A list in which Mirage's collections are arrays. */
export function toArray(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return isMirageCollection(value) ? value.models : undefined;
}
