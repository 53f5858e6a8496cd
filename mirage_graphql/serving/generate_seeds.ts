import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { possibleTypes } from "../graphql_types.ts";
import { inverseOf } from "../orm/inverse.ts";
import type { MockModel, Relation } from "../orm/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { createRandom } from "./random.ts";
import { sampleValue } from "./sample_value.ts";
import type { SeedLink, SeedRow } from "./seed_row.ts";

/** How many records of each type are made up. */
const COUNT = 5;

/** A record that is being made up. */
interface DraftRow extends SeedRow {
  readonly links: SeedLink[];
  readonly index: number;
}

/**
 * Makes up five records of each type, with all their fields and relations: the same ones each time,
 * and those of a type stay when another one is added to the schema.
 */
export function generateSeeds(orm: Orm): SeedRow[] {
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
    attributes: sampleAttributes(graphQLSchema, type, { model, index }),
    links: [],
    place: `${model.typeName}[${index}]`,
  }));
}

function sampleAttributes(
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
    const place = { typeName: type.name, fieldName: name, index };
    return [name, sampleValue(graphQLSchema, fieldType, place)];
  }));
}

/** A pair of relations is filled from the side of the single one, a pair of lists from the first. */
function linkRow(
  orm: Orm,
  drafts: ReadonlyMap<string, readonly DraftRow[]>,
  row: DraftRow,
  relation: Relation,
): void {
  const { model, index } = row;
  const association = orm.mirageSchema.associationsFor(model.modelName)[relation.name];
  const random = createRandom(`${model.typeName}.${relation.name}.${index}`);
  const targetName = relation.modelName ??
    random.pick(polymorphicTargets(orm, model, relation));
  const targets = drafts.get(targetName ?? "") ?? [];
  if (association === undefined || targetName === undefined || targets.length === 0) return;
  const inverse = inverseOf(orm.mirageSchema, association, targetName);
  const link = (chosen: readonly DraftRow[]) => {
    if (chosen.length === 0) return;
    row.links.push({ relation, targets: chosen, place: `${row.place}.${relation.name}` });
  };
  if (relation.isList) {
    const isFilledByOther = inverse?.type === "belongsTo" ||
      inverse !== undefined && targetName < model.modelName;
    if (isFilledByOther) return;
    const start = random.integer(0, targets.length - 1);
    return link([0, 1, 2].flatMap((step) => targets[(start + step) % targets.length] ?? []));
  }
  if (inverse?.type === "belongsTo") {
    const isFilledByOther = targetName < model.modelName;
    return isFilledByOther ? undefined : link(targets.slice(index, index + 1));
  }
  const candidates = targetName === model.modelName && !isRequired(orm, model, relation)
    ? targets.slice(0, index)
    : targets;
  const chosen = random.pick(candidates);
  link(chosen === undefined ? [] : [chosen]);
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
