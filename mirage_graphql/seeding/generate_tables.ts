import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  isLeafType,
  isObjectType,
} from "graphql";
import { countedKey, keyOf } from "../conventions/words.ts";
import type { MirageRecord } from "../orm/mirage.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import { nameKey } from "../orm/models/model_names.ts";
import type { Orm } from "../orm/orm.ts";
import type { GenerateValues } from "../orm/writes/complete_record.ts";
import { isAggregateType } from "../schema/aggregate_shapes.ts";
import { isList } from "../schema/type_shapes.ts";
import { fakeValue } from "./fake_value.ts";
import { type Fakes, fakesFor, withSeed } from "./fakes.ts";
import { linkRows, type Row, type Rows } from "./link_rows.ts";

/** A value for all records, or a function of the record's position, from 0. */
export type FieldValue =
  | ((index: number) => unknown)
  | string
  | number
  | boolean
  | object
  | null;

/** Values of one type by field. */
export interface TypeValues {
  /** The value of the field; ids for a relation. */
  readonly [fieldName: string]: FieldValue;
}

/** How records are generated. */
export interface GenerateOptions {
  /**
   * Other seeds give other values; the same seed gives the same ones.
   * @default {0}
   */
  readonly seed?: number;
  /**
   * Number of records of each type, or by the names of types; five of those that are left out.
   * @default {5}
   */
  readonly count?: number | Readonly<Record<string, number>>;
  /** Values to take instead of generated ones, by type and field. Relations take ids. */
  readonly values?: Readonly<Record<string, TypeValues>>;
}

/** How the records of a whole server are generated. */
export interface TableOptions extends GenerateOptions {
  /**
   * Whether ids are counted over all types, rather than for each.
   * @default {false}
   */
  readonly hasUniqueIds?: boolean;
}

/** Records by the name of their table. */
export type SeedTables = Record<string, Record<string, unknown>[]>;

/** Number of records of each type. */
const COUNT = 5;

/**
 * Generates records of each type, with all their fields and relations, both sides of which agree.
 * They are the same each time, and those of a type stay when another type is added to the schema.
 */
export function generateTables(orm: Orm, options: TableOptions = {}): SeedTables {
  const idsBefore = countBefore(orm, options);
  return withSeed(options.seed ?? 0, () => {
    const rows = new Map(orm.models.models.map((model) => [
      model.modelName,
      generateRows(orm, model, { ...options, idsBefore }),
    ]));
    linkRows(orm, rows);
    for (const model of orm.models.models) countLinks(orm, model, { rows, options });
    return Object.fromEntries(orm.models.models.map(({ modelName, collectionName }) => [
      collectionName,
      rows.get(modelName)?.map(({ record }) => record) ?? [],
    ]));
  });
}

/** The number of ids before those of each type. */
function countBefore({ models }: Orm, options: TableOptions): IdsBefore {
  let count = 0;
  const byType = new Map<string, number>();
  for (const { typeName } of options.hasUniqueIds ? models.models : []) {
    byType.set(typeName, count);
    count += countOf(typeName, options);
  }
  return byType;
}

type IdsBefore = ReadonlyMap<string, number>;

function generateRows(
  orm: Orm,
  model: MockModel,
  options: GenerateOptions & { readonly idsBefore: IdsBefore },
): Row[] {
  const type = orm.graphQLSchema.getType(model.typeName);
  if (!isObjectType(type)) return [];
  const values = options.values?.[model.typeName] ?? {};
  return Array.from({ length: countOf(model.typeName, options) }, (_, index) => {
    const { attributes, relations } = givenValues(model, { values, index });
    const before = options.idsBefore.get(model.typeName) ?? 0;
    const record: MirageRecord = { id: String(before + index + 1) };
    for (const { foreignKey, isList } of model.relations.values()) {
      record[foreignKey] = isList ? [] : null;
    }
    Object.assign(
      record,
      generateAttributes(orm, type, { ...options, model, index }),
      attributes,
    );
    return { model, index, record, given: relations };
  });
}

/** Sets numbers such as `postsCount`, unless they are counted when they are read. */
function countLinks(
  { graphQLSchema, conventions }: Orm,
  model: MockModel,
  { rows, options }: { readonly rows: Rows; readonly options: GenerateOptions },
): void {
  const type = graphQLSchema.getType(model.typeName);
  if (conventions.aggregates || !isObjectType(type)) return;
  const given = options.values?.[model.typeName] ?? {};
  for (const field of Object.values(type.getFields())) {
    const counted = countedRelation(model, field);
    if (counted === undefined || given[field.name] !== undefined) continue;
    for (const { record } of rows.get(model.modelName) ?? []) {
      const keys = record[counted.foreignKey];
      record[field.name] = Array.isArray(keys) ? keys.length : 0;
    }
  }
}

function countedRelation(
  { relations }: MockModel,
  { name, type }: GraphQLField<unknown, unknown>,
): Relation | undefined {
  const key = String(getNullableType(type)) === "Int" ? countedKey(name) : undefined;
  return key === undefined
    ? undefined
    : [...relations.values()].find((one) => one.isList && keyOf(one.name) === key);
}

function countOf(typeName: string, { count = COUNT }: GenerateOptions): number {
  return typeof count === "number" ? count : count[typeName] ?? COUNT;
}

function givenValues(
  model: MockModel,
  { values, index }: { readonly values: TypeValues; readonly index: number },
): { readonly attributes: MirageRecord; readonly relations: ReadonlyMap<string, unknown> } {
  const attributes: MirageRecord = {};
  const relations = new Map<string, unknown>();
  for (const [name, value] of Object.entries(values)) {
    const given: unknown = typeof value === "function" ? value(index) : value;
    const relation = relationNamed(model, name);
    if (relation !== undefined) relations.set(relation.name, given);
    else attributes[name] = name === "id" ? String(given) : given;
  }
  return { attributes, relations };
}

/** Whose values to generate. */
export interface AttributesOf extends Pick<GenerateOptions, "count"> {
  readonly model: MockModel;
  /** Position of the record among those of its type. */
  readonly index: number;
  /** Number of ids before those of a type. */
  readonly idsBefore?: ReadonlyMap<string, number>;
}

/** The values of all fields that are no relations, or foreign keys of relations. */
export function generateAttributes(
  orm: Orm,
  type: GraphQLObjectType,
  { model, index, count, idsBefore }: AttributesOf,
): MirageRecord {
  const fields = Object.values(type.getFields()).filter(({ name, resolve, type: fieldType }) =>
    name !== "id" && !isAggregateType(getNamedType(fieldType)) && resolve === undefined &&
    !model.getters.has(name) &&
    !(model.key?.isGlobal && model.key.name === name) &&
    relationNamed(model, name) === undefined
  );
  const idOf = ({ typeName }: MockModel, fakes: Fakes) => {
    const max = Math.max(1, countOf(typeName, { count }));
    return String((idsBefore?.get(typeName) ?? 0) + fakes.number.int({ min: 1, max }));
  };
  return Object.fromEntries(fields.flatMap((field) => {
    if (countedRelation(model, field) === undefined) {
      return [[field.name, generateValue(orm, field, { type, index, idOf })]];
    }
    return orm.conventions.aggregates ? [] : [[field.name, 0]];
  }));
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
  const target = isLeafType(getNamedType(fieldType)) ? keyTarget(orm, name) : undefined;
  if (target !== undefined) {
    const id = idOf(target, fakesFor(`${type.name}.${name}.${index}.value`));
    return isList(fieldType) ? [id] : id;
  }
  const hasRecords = (typeName: string) => orm.models.ofType(typeName) !== undefined;
  const field = { typeName: type.name, fieldName: name, index, hasRecords };
  return fakeValue(orm.graphQLSchema, fieldType, field);
}

/**
 * Creates the function that generates the values which new records lack: those of the next record in
 * the order of {@linkcode generateTables}.
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
      fields.map((field) => [field.name, generateValue(orm, field, { type, index, idOf })]),
    );
  };
}

/** The model that an attribute such as `userId` or `user_id` refers to by its name. */
function keyTarget({ models }: Orm, fieldName: string): MockModel | undefined {
  const [, stem] = /^(.+?)(?:_id|Id|ID)$/.exec(fieldName) ?? [];
  if (stem === undefined) return undefined;
  return models.models.find(({ typeName }) => nameKey(typeName) === nameKey(stem));
}
