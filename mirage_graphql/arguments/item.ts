import { isMirageModel } from "../orm/mirage/mirage_schema.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import { type Orm, toMirageModel } from "../orm/orm.ts";
import {
  idFormatOf,
  type KeyTarget,
  keyTarget,
  readKey,
  toResponseId,
} from "../orm/records/record_ids.ts";
import { foreignIds, toArray } from "../orm/records/record_store.ts";
import { createFollow, type Follow, modelOf } from "../orm/records/related.ts";
import { isGiven, isObject, valueOf } from "../shared/values.ts";
import type { Member } from "./targets.ts";

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

/**
 * Compares two values as databases do: numbers by size, `false` before `true`, dates by time, and
 * texts by code unit. A number and a numeric text are compared as numbers, because scalars like
 * `BigInt` are written as text.
 *
 * @returns A negative number, 0, or a positive number.
 */
export function compareValues(one: unknown, other: unknown): number {
  const [left, right] = [comparable(one), comparable(other)];
  if (typeof left === typeof right) return left < right ? -1 : left > right ? 1 : 0;
  const [leftNumber, rightNumber] = [Number(left), Number(right)];
  if (Number.isNaN(leftNumber) || Number.isNaN(rightNumber)) {
    return compareValues(String(left), String(right));
  }
  return leftNumber - rightNumber;
}

function comparable(value: unknown): number | string | boolean | bigint {
  switch (typeof value) {
    case "number":
    case "string":
    case "boolean":
    case "bigint":
      return value;
    default:
      return toText(value);
  }
}

/** Compares one record with another. */
export type Compare = (one: unknown, other: unknown) => number;

/**
 * How to sort by one key; records without a value come last in ascending and first in descending
 * order.
 */
export function compareBy(
  { isDescending, nulls = isDescending ? "first" : "last" }: {
    readonly isDescending: boolean;
    readonly nulls?: "first" | "last" | undefined;
  },
): Compare {
  const ofNull = nulls === "first" ? -1 : 1;
  const sign = isDescending ? -1 : 1;
  return (one, other) => {
    const [isOne, isOther] = [!isGiven(one), !isGiven(other)];
    if (isOne || isOther) return isOne && isOther ? 0 : isOne ? ofNull : -ofNull;
    return sign * compareValues(one, other);
  };
}

/** Reads the members of a record, wherever it is held. */
export interface MemberReader {
  /** The value of an attribute, or the ids of a relation. */
  value(item: Item, member: Member): unknown;
  /** The records that a relation leads to. */
  related(item: Item, member: Member): readonly Item[];
  /**
   * The type of the record whose id a member has; `undefined` if it has none. Left out if no
   * request has ids that say their type.
   */
  readonly typeOfIds?: ((item: Item, member: Member) => string | undefined) | undefined;
}

/** The model of the record whose id a member contains; a list has its ids in both forms. */
function idModel(orm: Orm, item: Item, { name, isList }: Member): MockModel | undefined {
  const { model } = item;
  if (name === "id" || isList) return isList ? undefined : model;
  const isKey = model && relationNamed(model, name) !== undefined;
  return isKey ? readTargets(orm, item, name)[0]?.model : undefined;
}

/** Reads the members of records for filters and orders. */
export function createMemberReader(orm: Orm): MemberReader {
  const isGlobal = idFormatOf(orm) !== "local";
  const follows = new Map<Relation, Follow>();
  const follow = (relation: Relation): Follow => {
    const known = follows.get(relation) ?? createFollow(orm, relation);
    follows.set(relation, known);
    return known;
  };
  const readers: MemberReader = {
    value(item, { kind, name, isList, counted }) {
      if (counted !== undefined) {
        return readAttribute(orm, item, name) ?? readers.related(item, counted).length;
      }
      const isKey = isGlobal && item.model && relationNamed(item.model, name) !== undefined;
      if (kind === "attribute" && !isKey) return readAttribute(orm, item, name);
      if (isList) return isGlobal ? readIdForms(orm, item, name) : readIds(orm, item, name);
      return readIds(orm, item, name)[0];
    },
    typeOfIds: isGlobal ? (item, member) => idModel(orm, item, member)?.typeName : undefined,
    related({ value, model }, { name }) {
      if (!isObject(value)) return [];
      const relation = model?.relations.get(name);
      const held = relation === undefined || value[relation.foreignKey] === undefined
        ? value[name]
        : follow(relation)(value[relation.foreignKey]);
      const list = toArray(held) ?? (isObject(held) ? [held] : []);
      return list.map((one) => ({ value: one, model: modelOf(orm, one) }));
    },
  };
  return readers;
}
