import { countedInList, countedRecords } from "../arguments/counted_records.ts";
import { countedKey, keyOf, wordsOf } from "../shared/names.ts";
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  isLeafType,
  isObjectType,
} from "graphql";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { GenerateValues } from "../orm/writes/complete_record.ts";
import { isList } from "../schema/types.ts";
import { fakeValue, withLengths } from "./fake_value.ts";
import { type FakeField, type Fakes, fakesFor } from "./fakes.ts";

/** Number of records of each type, or by the names of types. */
export type RecordCount = number | Readonly<Record<string, number>>;

/** Number of records of a type without a number. */
const COUNT = 5;

/** The number of records of a type to generate. */
export function countOf(typeName: string, { count = COUNT }: Counted): number {
  return typeof count === "number" ? count : count[typeName] ?? COUNT;
}

/** How many records there are. */
interface Counted {
  readonly count?: RecordCount;
}

/** Whose values to generate. */
export interface AttributesOf extends Counted {
  readonly model: MockModel;
  /** Position of the record among those of its type. */
  readonly index: number;
  /** Number of ids before those of a type. */
  readonly idsBefore?: ReadonlyMap<string, number>;
}

/** The values of all fields that are neither relations nor foreign keys of relations. */
export function generateAttributes(
  orm: Orm,
  type: GraphQLObjectType,
  { model, index, count, idsBefore }: AttributesOf,
): MirageRecord {
  const fields = Object.values(type.getFields()).filter(({ name, resolve, type: fieldType }) =>
    name !== "id" && orm.shapeOf(getNamedType(fieldType)).kind !== "aggregates" &&
    resolve === undefined &&
    !model.getters.has(name) &&
    !(model.key?.isGlobal && model.key.name === name) &&
    relationNamed(model, name) === undefined
  );
  const idOf = ({ typeName }: MockModel, fakes: Fakes) => {
    const max = Math.max(1, countOf(typeName, { count }));
    return String((idsBefore?.get(typeName) ?? 0) + fakes.number.int({ min: 1, max }));
  };
  const values = Object.fromEntries(fields.flatMap((field) => {
    if (!isCount(orm, model, field)) {
      return [[field.name, generateValue(orm, field, { type, index, idOf })]];
    }
    return orm.conventions.aggregates ? [] : [[field.name, 0]];
  }));
  return withLengths(type, values);
}

/** The record that has a value. */
interface ValueOwner {
  readonly type: GraphQLObjectType;
  readonly index: number;
  /** The id of a record of another model, for an attribute such as `userId`. */
  readonly idOf: (target: MockModel, fakes: Fakes) => unknown;
}

function generateValue(
  orm: Orm,
  { name, type: fieldType }: GraphQLField<unknown, unknown>,
  { type, index, idOf }: ValueOwner,
): unknown {
  const idFor = (one: FakeField) => {
    const target = keyTarget(orm, one.fieldName);
    return target && idOf(target, fakesFor(`${one.typeName}.${one.fieldName}.${one.index}.value`));
  };
  if (isLeafType(getNamedType(fieldType)) && isList(fieldType)) {
    const id = idFor({ typeName: type.name, fieldName: name, index });
    if (id !== undefined) return [id];
  }
  const hasRecords = (typeName: string) => orm.models.ofType(typeName) !== undefined;
  const field = { typeName: type.name, fieldName: name, index, hasRecords, idFor };
  return fakeValue(orm.graphQLSchema, fieldType, field);
}

/** How the names of moments begin that are the present for a new record. */
const PRESENT = /^(created|updated|modified|inserted|added|posted|submitted|registered|joined)\b/;
/** The names of flags that a new record has, where others say what has been done with it. */
const ON_AT_FIRST = /^(is )?(active|enabled|available|visible)$/;

/** The value of a new record, which begins now and with which nothing has been done. */
function asNew(fieldName: string, value: unknown): unknown {
  const name = wordsOf(fieldName).join(" ");
  if (typeof value === "boolean") return ON_AT_FIRST.test(name);
  const isDate = typeof value === "string" && /^\d{4}-\d\d-\d\d(T|$)/.test(value);
  return isDate && PRESENT.test(name) ? new Date().toISOString().slice(0, value.length) : value;
}

/**
 * Creates the function that generates the values which new records lack: those of the next record in
 * the order of `generateTables()`, except that it begins now, and no flag says that it is done, read
 * or the like.
 */
export function createValueGenerator(orm: Orm): GenerateValues {
  const idOf = (target: MockModel, fakes: Fakes) => {
    const records = orm.store.of(target).select();
    return records[fakes.number.int({ min: 0, max: Math.max(0, records.length - 1) })]?.id;
  };
  return (model, fields) => {
    const type = orm.graphQLSchema.getType(model.typeName);
    if (!isObjectType(type)) return {};
    const index = orm.store.of(model).select().length;
    return Object.fromEntries(
      fields.map((field) => {
        const value = generateValue(orm, field, { type, index, idOf });
        return [field.name, asNew(field.name, value)];
      }),
    );
  };
}

/** The model that an attribute such as `userId`, `user_id` or `userIds` refers to by its name. */
function keyTarget({ models }: Orm, fieldName: string): MockModel | undefined {
  const [, stem] = /^(.+?)(?:_ids?|Ids?|IDs?)$/.exec(fieldName) ?? [];
  if (stem === undefined) return undefined;
  return models.models.find(({ typeName }) => keyOf(typeName) === keyOf(stem));
}

/** Whether a number counts related records, so that it is set when they are linked, or when it is read. */
function isCount(
  orm: Orm,
  model: MockModel,
  field: GraphQLField<unknown, unknown>,
): boolean {
  return countedRelation(model, field) !== undefined ||
    countedRecords(orm.models, model, field) !== undefined ||
    orm.conventions.aggregates && countedInList(orm, model, field) !== undefined;
}

/** The relation whose records a number such as `postsCount` counts. */
export function countedRelation(
  { relations }: MockModel,
  { name, type }: GraphQLField<unknown, unknown>,
): Relation | undefined {
  const key = String(getNullableType(type)) === "Int" ? countedKey(name) : undefined;
  return key === undefined
    ? undefined
    : [...relations.values()].find((one) => one.isList && keyOf(one.name) === key);
}
