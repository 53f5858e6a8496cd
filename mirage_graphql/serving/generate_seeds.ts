import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { possibleTypes } from "../schema/type_shapes.ts";
import { inverseOf } from "../orm/writes/inverse_of.ts";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { fakeValue } from "./fake_value.ts";
import { type Fakes, fakesFor } from "./fakes.ts";
import type { SeedLink, SeedRecord } from "./seed_record.ts";

/** Number of records of each type. */
const COUNT = 5;

/** A record that is being made up. */
interface DraftRow extends SeedRecord {
  readonly links: SeedLink[];
  readonly index: number;
}

/**
 * Makes up five records of each type, with all their fields and relations. They are the same each
 * time, and those of a type stay when another type is added to the schema.
 */
export function generateSeeds(orm: Orm): SeedRecord[] {
  const drafts = new Map(
    orm.models.models.map((model) => [model.modelName, draftRows(orm, model)]),
  );
  for (const rows of drafts.values()) {
    for (const row of rows) {
      for (const relation of row.model.relations.values()) linkRow(orm, drafts, row, relation);
    }
  }
  return [...drafts.values()].flat();
}

function draftRows({ graphQLSchema }: Orm, model: MockModel): DraftRow[] {
  const type = graphQLSchema.getType(model.typeName);
  if (!isObjectType(type)) return [];
  return Array.from({ length: COUNT }, (_, index) => ({
    model,
    index,
    attributes: fakeAttributes(graphQLSchema, type, { model, index }),
    links: [],
    path: `${model.typeName}[${index}]`,
  }));
}

function fakeAttributes(
  graphQLSchema: GraphQLSchema,
  type: GraphQLObjectType,
  { model, index }: { readonly model: MockModel; readonly index: number },
): Record<string, unknown> {
  const foreignKeys = [...model.relations.values()].map(({ foreignKey }) => foreignKey);
  const fields = Object.values(type.getFields()).filter(({ name, resolve }) =>
    name !== "id" && resolve === undefined && !model.relations.has(name) &&
    !model.getters.has(name) && !foreignKeys.includes(name)
  );
  return Object.fromEntries(fields.map(({ name, type: fieldType }) => {
    const field = { typeName: type.name, fieldName: name, index };
    return [name, fakeValue(graphQLSchema, fieldType, field)];
  }));
}

function linkRow(
  orm: Orm,
  drafts: ReadonlyMap<string, readonly DraftRow[]>,
  row: DraftRow,
  relation: Relation,
): void {
  const { modelName, typeName } = row.model;
  const association = orm.mirageSchema.associationsFor(modelName)[relation.association];
  const fakes = fakesFor(`${typeName}.${relation.name}.${row.index}`);
  const targetName = relation.modelName ??
    pick(fakes, polymorphicTargets(orm, row.model, relation));
  const rows = drafts.get(targetName ?? "") ?? [];
  if (association === undefined || targetName === undefined || rows.length === 0) return;
  const inverse = inverseOf(orm.mirageSchema, association, targetName);
  const isFirst = association.isPolymorphic === true ||
    inverse?.isPolymorphic !== true && modelName <= targetName;
  const isToItself = modelName === targetName && !isRequired(orm, row.model, relation);
  const choose = relation.isList ? chooseSome : chooseOne;
  const chosen = choose({ row, rows, inverse: inverse?.type, isFirst, isToItself, fakes });
  if (chosen.length === 0) return;
  row.links.push({ relation, targets: chosen, path: `${row.path}.${relation.name}` });
}

/** The choice of records for one relation of a record. */
interface Choice {
  readonly row: DraftRow;
  readonly rows: readonly DraftRow[];
  /** Kind of the inverse, if there is one. */
  readonly inverse: "belongsTo" | "hasMany" | undefined;
  /** Whether to fill this side, if both are alike: that of the abstract type. */
  readonly isFirst: boolean;
  /** Whether the relation leads to the record's own type, and may be empty. */
  readonly isToItself: boolean;
  readonly fakes: Fakes;
}

/** Three records; none if the other side fills the list. */
function chooseSome({ rows, inverse, isFirst, fakes }: Choice): DraftRow[] {
  if (inverse === "belongsTo" || inverse === "hasMany" && !isFirst) return [];
  const start = fakes.number.int({ min: 0, max: rows.length - 1 });
  return [0, 1, 2].flatMap((step) => rows[(start + step) % rows.length] ?? []);
}

/** Any record; for a pair the one at the same position, and an earlier one to avoid cycles. */
function chooseOne({ row, rows, inverse, isFirst, isToItself, fakes }: Choice): DraftRow[] {
  if (inverse === "belongsTo") return isFirst ? rows.slice(row.index, row.index + 1) : [];
  const chosen = pick(fakes, isToItself ? rows.slice(0, row.index) : rows);
  return chosen === undefined ? [] : [chosen];
}

function polymorphicTargets(orm: Orm, model: MockModel, relation: Relation): string[] {
  const type = fieldType(orm, model, relation);
  const named = type && getNamedType(type);
  if (!isAbstractType(named)) return [];
  return possibleTypes(orm.graphQLSchema, named)
    .flatMap(({ name }) => orm.models.ofType(name)?.modelName ?? []);
}

function isRequired(orm: Orm, model: MockModel, relation: Relation): boolean {
  return isNonNullType(fieldType(orm, model, relation));
}

function fieldType({ graphQLSchema }: Orm, { typeName }: MockModel, { name }: Relation) {
  const type = graphQLSchema.getType(typeName);
  return isObjectType(type) ? type.getFields()[name]?.type : undefined;
}

function pick<T>(fakes: Fakes, values: readonly T[]): T | undefined {
  return values.length === 0 ? undefined : fakes.helpers.arrayElement(values);
}
