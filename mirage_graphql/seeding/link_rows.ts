import { getNamedType, isAbstractType, isNonNullType } from "graphql";
import type { MirageAssociation, MirageRecord } from "../orm/mirage/mirage_schema.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { inverseOf } from "../orm/mirage/inverse_of.ts";
import { fieldOf, possibleTypes } from "../schema/types.ts";
import { type Fakes, fakesFor } from "./fakes.ts";

/** A record that is being generated. */
export interface Row {
  readonly model: MockModel;
  /** Position among the records of its type. */
  readonly index: number;
  /** Attributes and foreign keys. */
  readonly record: MirageRecord;
  /** The given ids of its relations, by field. */
  readonly given: ReadonlyMap<string, unknown>;
}

/** The generated records of each model. */
export type Rows = ReadonlyMap<string, readonly Row[]>;

/** Sets the foreign keys of all records, on both sides of each relation. */
export function linkRows(orm: Orm, rows: Rows): void {
  const relations = orm.models.models.flatMap((model) =>
    [...model.relations.values()].map((relation) => planRelation(orm, model, relation))
  );
  for (const isGiven of [true, false]) {
    for (const planned of relations) {
      for (const row of rows.get(planned.model.modelName) ?? []) {
        if (row.given.has(planned.relation.name) !== isGiven) continue;
        const targets = isGiven ? givenRows(rows, planned, row) : chooseRows(rows, planned, row);
        for (const target of targets) {
          connect(row, planned.association, target);
          const inverse = planned.inverseTo(target.model.modelName);
          if (inverse !== undefined) connect(target, inverse, row);
        }
      }
    }
  }
  for (const planned of relations) fillRequired(rows, planned);
}

/** What is needed to link one relation of a model's records. */
interface PlannedRelation {
  readonly model: MockModel;
  readonly relation: Relation;
  readonly association: MirageAssociation;
  /** The models it can lead to. */
  readonly targets: readonly string[];
  readonly isRequired: boolean;
  inverseTo(modelName: string): MirageAssociation | undefined;
}

function planRelation(orm: Orm, model: MockModel, relation: Relation): PlannedRelation {
  const { mirageSchema, graphQLSchema, models, shapeOf } = orm;
  const association = mirageSchema.associationsFor(model.modelName)[relation.association];
  if (association === undefined) {
    throw new RangeError(`Cannot link "${relation.name}": Mirage has no such association`);
  }
  const field = fieldOf(graphQLSchema, model.typeName, relation.name);
  const own = field && getNamedType(field.type);
  const named = own && (shapeOf(own).nodeType ?? own);
  const targets = relation.modelName !== undefined
    ? [relation.modelName]
    : isAbstractType(named)
    ? possibleTypes(graphQLSchema, named).flatMap(({ name }) =>
      models.ofType(name)?.modelName ?? []
    )
    : [];
  const inverses = new Map(targets.map((target) => [
    target,
    inverseOf(mirageSchema, association, target),
  ]));
  return {
    model,
    relation,
    association,
    targets,
    isRequired: isNonNullType(field?.type),
    inverseTo: (modelName) => inverses.get(modelName),
  };
}

function givenRows(rows: Rows, { relation, targets }: PlannedRelation, { given }: Row): Row[] {
  const value = given.get(relation.name);
  const ids = (Array.isArray(value) ? value : [value]).map(String);
  const all = targets.flatMap((target) => rows.get(target) ?? []);
  return ids.flatMap((id) => all.find(({ record }) => record.id === id) ?? []);
}

/** The records for one relation of a record; none if the other side chooses them. */
function chooseRows(rows: Rows, planned: PlannedRelation, row: Row): readonly Row[] {
  const { model, relation, association, targets } = planned;
  if (isLinked(row, association)) return [];
  const fakes = fakesFor(`${model.typeName}.${relation.name}.${row.index}`);
  const targetName = relation.modelName ?? pick(fakes, targets);
  const others = rows.get(targetName ?? "") ?? [];
  if (targetName === undefined || others.length === 0) return [];
  const inverse = planned.inverseTo(targetName);
  const isSelf = model.modelName === targetName;
  const isFirst = association.isPolymorphic === true ||
    inverse?.isPolymorphic !== true &&
      (isSelf ? relation.association <= (inverse?.name ?? "") : model.modelName < targetName);
  if (relation.isList) {
    return inverse?.type === "belongsTo" || inverse?.type === "hasMany" && !isFirst
      ? []
      : chooseSome(fakes, others, row.index);
  }
  if (inverse?.type === "belongsTo") {
    const partner = others[isSelf ? row.index + 1 : row.index];
    const isFree = partner !== undefined && isFirst && !isLinked(partner, inverse);
    return isFree ? [partner] : [];
  }
  // the list of the first record has the first two
  if (inverse?.type === "hasMany" && !isSelf && row.index < 2) return others.slice(0, 1);
  // an earlier record, to avoid cycles
  const chosen = pick(fakes, isSelf && !planned.isRequired ? others.slice(0, row.index) : others);
  return chosen === undefined ? [] : [chosen];
}

/** Three consecutive records; the first record has the first ones, so that both sides of it do. */
function chooseSome(fakes: Fakes, rows: readonly Row[], index: number): Row[] {
  const start = index === 0 ? 0 : fakes.number.int({ min: 0, max: rows.length - 1 });
  const length = Math.min(3, rows.length);
  return Array.from({ length }, (_, step) => rows[(start + step) % rows.length])
    .filter((row) => row !== undefined);
}

function isLinked({ record }: Row, { foreignKey }: MirageAssociation): boolean {
  const key = record[foreignKey];
  return Array.isArray(key) ? false : key !== null && key !== undefined;
}

function connect({ record }: Row, association: MirageAssociation, target: Row): void {
  const { foreignKey, type, isPolymorphic } = association;
  const id = target.record.id;
  const key = isPolymorphic ? { type: target.model.modelName, id } : id;
  if (type === "belongsTo") {
    record[foreignKey] = key;
    return;
  }
  const keys: unknown[] = Array.isArray(record[foreignKey]) ? record[foreignKey] : [];
  const text = JSON.stringify(key);
  if (!keys.some((one) => JSON.stringify(one) === text)) keys.push(key);
  record[foreignKey] = keys;
}

/** A non-null relation for which no partner is left leads to any record of its type. */
function fillRequired(rows: Rows, { model, association, targets, isRequired }: PlannedRelation) {
  if (!isRequired || association.type !== "belongsTo") return;
  const all = targets.flatMap((target) => rows.get(target) ?? []);
  for (const row of rows.get(model.modelName) ?? []) {
    const target = all[row.index % all.length];
    if (!isLinked(row, association) && target !== undefined) connect(row, association, target);
  }
}

function pick<T>(fakes: Fakes, values: readonly T[]): T | undefined {
  return values.length === 0 ? undefined : fakes.helpers.arrayElement([...values]);
}
