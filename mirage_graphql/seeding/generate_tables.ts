import { isObjectType } from "graphql";
import { countedRecords, refersTo } from "../arguments/counted_records.ts";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import { type MockModel, type Relation, relationNamed } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import { createRelationReader } from "../orm/writes/related_record.ts";
import { copyValue } from "../shared/values.ts";
import { createPriceRules } from "../totals/price_rules.ts";
import { type Line, lineValues, ownerValues } from "../totals/price_values.ts";
import { withSeed } from "./fakes.ts";
import {
  countedRelation,
  countOf,
  generateAttributes,
  type RecordCount,
} from "./generate_values.ts";
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
  /** The value of the field; for a relation, ids. */
  readonly [fieldName: string]: FieldValue;
}

/** How records are generated. */
export interface GenerateOptions {
  /**
   * The seed of the values: the same seed gives the same values.
   * @default {0}
   */
  readonly seed?: number;
  /**
   * Number of records of each type, or an object by type; five of the types that it omits.
   * @default {5}
   */
  readonly count?: RecordCount;
  /** Values to use instead of generated ones, by type and field; for relations, ids. */
  readonly values?: Readonly<Record<string, TypeValues>>;
}

/** How the records of a whole server are generated. */
export interface TableOptions extends GenerateOptions {
  /**
   * Whether ids are counted across all types, rather than for each.
   * @default {false}
   */
  readonly hasUniqueIds?: boolean;
}

/** Records by the name of their table. */
export type SeedTables = Record<string, Record<string, unknown>[]>;

/**
 * Generates records of each type, with all their fields and relations, both sides of which agree.
 * They are the same each time, and those of a type don't change when another type is added to the
 * schema.
 */
export function generateTables(orm: Orm, options: TableOptions = {}): SeedTables {
  const idsBefore = countBefore(orm, options);
  return withSeed(options.seed ?? 0, () => {
    const rows = new Map(orm.models.models.map((model) => [
      model.modelName,
      generateRows(orm, model, { ...options, idsBefore }),
    ]));
    linkRows(orm, rows);
    const byKey = new Map(
      [...rows.values()].flat().map((row) => [`${row.model.modelName} ${row.record.id}`, row]),
    );
    for (const model of orm.models.models) countLinks(orm, model, { rows, options });
    const rowOf: RowOf = ({ modelName, id }) => byKey.get(`${modelName} ${id}`);
    addUpLists(orm, { rows, options, rowOf });
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

/** Sets numbers such as `postsCount`, unless these are counted when they are read. */
function countLinks(
  { graphQLSchema, conventions, models }: Orm,
  model: MockModel,
  { rows, options }: { readonly rows: Rows; readonly options: GenerateOptions },
): void {
  const type = graphQLSchema.getType(model.typeName);
  if (conventions.aggregates || !isObjectType(type)) return;
  const given = options.values?.[model.typeName] ?? {};
  for (const field of Object.values(type.getFields())) {
    const counted = countedRelation(model, field);
    const referring = countedRecords(models, model, field);
    if (counted === undefined && referring === undefined) continue;
    if (given[field.name] !== undefined) continue;
    const others = rows.get(referring?.model.modelName ?? "") ?? [];
    for (const { record } of rows.get(model.modelName) ?? []) {
      const keys = counted && record[counted.foreignKey];
      const count = referring && others.filter((one) => refersTo(referring, one.record, record.id));
      record[field.name] = Array.isArray(keys) ? keys.length : count?.length ?? 0;
    }
  }
}

/** Finds a generated record by its model and id. */
type RowOf = (ref: RecordRef) => Row | undefined;

/** Sets the prices of lines, and what adds up a list of them, as `totalQuantity` does. */
function addUpLists(
  orm: Orm,
  { rows, options, rowOf }: {
    readonly rows: Rows;
    readonly options: GenerateOptions;
    readonly rowOf: RowOf;
  },
): void {
  const relationsOf = createRelationReader(orm);
  const { lines, owners } = createPriceRules({ ...orm, relationsOf });
  const rowsOf = ({ modelName }: MockModel) => rows.get(modelName) ?? [];
  const isFixed = ({ typeName }: MockModel) => (name: string) =>
    options.values?.[typeName]?.[name] !== undefined;
  const refs = (model: MockModel, { relation }: { readonly relation: Relation }, row: Row) =>
    relationsOf.refs(model, relation, row.record).flatMap((ref) => rowOf(ref) ?? []);
  const lineOf = (row: Row): Line | undefined => {
    const rule = lines.get(row.model.modelName);
    if (rule === undefined) return undefined;
    const [item] = rule.item === undefined ? [] : refs(row.model, rule.item, row);
    return { rule, record: row.record, item: item?.record };
  };
  for (const { model } of lines.values()) {
    for (const row of rowsOf(model)) {
      const line = lineOf(row);
      const options = { isFixed: isFixed(model), isNew: true };
      if (line !== undefined) Object.assign(row.record, lineValues(line, options));
    }
  }
  for (const rule of owners) {
    for (const row of rowsOf(rule.owner)) {
      const own = refs(rule.owner, rule, row).flatMap((one) => lineOf(one) ?? []);
      const priced = { record: row.record, isFixed: isFixed(rule.owner) };
      Object.assign(row.record, ownerValues(rule, priced, { lines: own, before: undefined }));
    }
  }
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
    else attributes[name] = name === "id" ? String(given) : copyValue(given);
  }
  return { attributes, relations };
}
