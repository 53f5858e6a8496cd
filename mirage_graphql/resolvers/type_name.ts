import { isMirageModel, isObject } from "../orm/mirage.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { MockRecord, MODEL } from "../orm/records/record_store.ts";

/**
 * The GraphQL type of a value: that of its model, or what its `__typename` says. `undefined` where
 * the value tells neither.
 */
export function typeNameOf(orm: Orm, value: unknown): string | undefined {
  const model = modelOf(orm, value);
  if (model !== undefined) return model.typeName;
  return isObject(value) && typeof value.__typename === "string" ? value.__typename : undefined;
}

/** The model of a record, or of an instance of a Mirage model. */
export function modelOf(orm: Orm, value: unknown): MockModel | undefined {
  if (value instanceof MockRecord) return value[MODEL];
  return isMirageModel(value) ? orm.models.ofModel(value.modelName) : undefined;
}
