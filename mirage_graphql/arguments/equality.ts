import { isMirageModel } from "../orm/mirage/mirage_schema.ts";
import { type MockModel, relationNamed } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import {
  idFormatOf,
  type KeyTarget,
  keyTarget,
  readKey,
  toResponseId,
} from "../orm/records/record_ids.ts";
import { foreignIds } from "../orm/records/record_store.ts";
import { isGiven, isObject, valueOf } from "../shared/values.ts";

/** The text to compare by: 1 equals "1"; dates and objects are compared as JSON. */
export function toText(value: unknown): string {
  if (value instanceof Date) return value.toJSON();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Tests whether a value is the expected one, or one of them if that is a list; a list is if one of
 * its values is. As in SQL, `null` equals nothing.
 *
 * @param fold The text by which values are compared.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { equalTo } from "./equality.ts";
 *
 * deepStrictEqual([1, "1", ["2", "1"], 2, null].map(equalTo("1")), [true, true, true, false, false]);
 * ```
 */
export function equalTo(
  expected: unknown,
  fold: (value: unknown) => string = toText,
): (value: unknown) => boolean {
  const texts = new Set(
    (Array.isArray(expected) ? expected : [expected]).filter(isGiven).map(fold),
  );
  const [only] = texts;
  const isText = texts.size === 1
    ? (text: string) => text === only
    : (text: string) => texts.has(text);
  const isEqual = (value: unknown) => isGiven(value) && isText(fold(value));
  return (value) => Array.isArray(value) ? value.some(isEqual) : isEqual(value);
}

/** A record of the database or of a source, and its model. */
export interface Item {
  readonly value: unknown;
  readonly model: MockModel | undefined;
}

/** Whether a value matches the arguments; `model` is that of the record, if it is one. */
export type Fits = (value: unknown, model: MockModel | undefined) => boolean;

/** Creates the filter of an argument from its value; `undefined` if the value doesn't filter. */
export type ArgumentFilter = (expected: unknown) => Fits | undefined;

/** Reads an attribute, or the getter of a user-defined model. */
export function readAttribute(
  orm: Orm,
  { value, model }: Item,
  name: string,
): unknown {
  if (!isObject(value)) return undefined;
  if (name === model?.key?.name) return readKey(orm, model, value);
  const isGetter = model?.getters.has(name) === true && !isMirageModel(value);
  return isGetter ? toMirageModel(orm, model, value)[name] : valueOf(value, name);
}

/** The foreign key of a relation as a list; the name is that of the relation or the key. */
function readKeys({ value, model }: Item, name: string): readonly unknown[] {
  if (!isObject(value)) return [];
  const relation = model && relationNamed(model, name);
  const own = relation && (value[relation.foreignKey] ?? valueOf(value, relation.name));
  const key = own ?? valueOf(value, name);
  return isObject(key) && Array.isArray(key.models) ? key.models : foreignIds(key);
}

/** The ids of a relation, as in the database. */
export function readIds(_orm: Orm, item: Item, name: string): readonly unknown[] {
  return readKeys(item, name).map((key) => isObject(key) ? key.id : key);
}

/** Reads ids in both forms that a request may use: the record's own, or those of a relation. */
export function readIdForms(orm: Orm, item: Item, name: string): readonly unknown[] {
  const { model, value } = item;
  const isOwn = name === "id" && isObject(value);
  const targets = isOwn ? [{ id: value.id, model }] : readTargets(orm, item, name);
  return targets.flatMap((one) => [one.id, toResponseId(orm, one.model, one.id)]);
}

/** The records that a relation names. */
export function readTargets(orm: Orm, item: Item, name: string): readonly KeyTarget[] {
  const relation = item.model && relationNamed(item.model, name);
  return readKeys(item, name).map((key) => keyTarget(orm, relation, key));
}

/** Compares the attribute or the relation of a name with the expected value, or with each of them. */
export function equality(
  orm: Orm,
  models: readonly MockModel[],
  name: string,
): (expected: unknown) => Fits {
  const isRelation = models.some((model) => relationNamed(model, name));
  const isOfIds = idFormatOf(orm) !== "local" && (name === "id" || isRelation);
  const read = isOfIds ? readIdForms : isRelation ? readIds : readAttribute;
  const [only] = models.length === 1 ? models : [];
  return (expected) => {
    const isEqual = equalTo(expected);
    return (value, model = only) => isEqual(read(orm, { value, model }, name));
  };
}
