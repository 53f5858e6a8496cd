import { isMirageCollection, isObject, type MirageModel } from "./mirage.ts";
import type { Relation } from "./models/model_map.ts";
import { type Orm, toMirageModel } from "./orm.ts";

/**
 * What a relation of a model leads to, as Mirage has it: a collection, a model, or `null`. The
 * records are found by the index of their table, where Mirage would search the table for each id.
 */
export function relatedModels(orm: Orm, model: MirageModel, relation: Relation): unknown {
  const key = model.attrs[relation.foreignKey];
  if (relation.isList) return toCollection(orm, model, relation, Array.isArray(key) ? key : []);
  if (key === null || key === undefined) return null;
  return modelOf(orm, relation, key) ?? model[relation.name];
}

function toCollection(
  orm: Orm,
  model: MirageModel,
  relation: Relation,
  ids: readonly unknown[],
): unknown {
  const models = ids.map((id) => modelOf(orm, relation, id));
  if (!models.every((related) => related !== undefined)) return model[relation.name];
  const collection = emptyCollection(orm, model, relation);
  if (!isMirageCollection(collection)) return collection;
  for (const related of models) collection.models.push(related);
  return collection;
}

/** Mirage's collections of several models are made by its models alone. */
function emptyCollection(
  { mirageSchema }: Orm,
  model: MirageModel,
  { modelName, name, foreignKey }: Relation,
): unknown {
  if (modelName !== undefined) return mirageSchema.none(modelName);
  return mirageSchema.new(model.modelName, { [foreignKey]: [] })[name];
}

/** The model of an id; `undefined` where no GraphQL type tells which records the model has. */
function modelOf(
  orm: Orm,
  { modelName }: Relation,
  key: unknown,
): MirageModel | undefined {
  const named = modelName === undefined && isObject(key) ? key : { type: modelName, id: key };
  const model = typeof named.type === "string" ? orm.models.ofModel(named.type) : undefined;
  const record = model && orm.store.of(model).find(named.id);
  return model && record && toMirageModel(orm, model, record);
}
