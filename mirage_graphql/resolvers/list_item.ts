import { isMirageModel, isObject } from "../orm/mirage.ts";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import { foreignIds } from "./source.ts";

/** A record of the database or of a source, and its model. */
export interface Item {
  readonly value: unknown;
  readonly model: MockModel | undefined;
}

/** Whether a value fits the arguments; `model` is that of the record, if it is one. */
export type Fits = (value: unknown, model: MockModel | undefined) => boolean;

/** Reads an attribute, or the getter of a user-defined model. */
export function readAttribute(
  orm: Orm,
  { value, model }: Item,
  name: string,
): unknown {
  if (!isObject(value)) return undefined;
  const isGetter = model?.getters.has(name) === true && !isMirageModel(value);
  return isGetter ? toMirageModel(orm, model, value)[name] : value[name];
}

/** The ids of a relation, named by itself or by its foreign key. */
export function readIds({ value, model }: Item, name: string): readonly unknown[] {
  if (!isObject(value)) return [];
  const relation = model && relationNamed(model, name);
  const own = relation && (value[relation.foreignKey] ?? value[relation.name]);
  const key = own ?? value[name];
  const list = isObject(key) && Array.isArray(key.models) ? key.models : foreignIds(key);
  return list.map((id) => isObject(id) ? id.id : id);
}
