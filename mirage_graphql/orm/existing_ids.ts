import { isObject } from "./mirage.ts";
import type { MockModel, ModelMap, Relation } from "./models/model_map.ts";
import type { RecordStore } from "./records/record_store.ts";

/** What tells which records there are. */
interface Records {
  readonly models: ModelMap;
  readonly store: RecordStore;
}

/** The foreign keys of a record, with those ids alone that a record has. */
export function existingForeignKeys(
  records: Records,
  model: MockModel,
  attributes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const existing: Record<string, unknown> = {};
  for (const relation of model.relations.values()) {
    const key = attributes[relation.foreignKey];
    const isThere = (id: unknown) => exists(records, relation, id);
    if (Array.isArray(key)) existing[relation.foreignKey] = key.filter(isThere);
    else existing[relation.foreignKey] = isThere(key) ? key : null;
  }
  return existing;
}

function exists({ models, store }: Records, { modelName }: Relation, key: unknown): boolean {
  const { type, id } = modelName !== undefined
    ? { type: modelName, id: key }
    : isObject(key)
    ? key
    : {};
  const model = typeof type === "string" ? models.ofModel(type) : undefined;
  // a model without a type can't be looked into
  if (model === undefined) return modelName !== undefined;
  return store.of(model).has(id);
}
