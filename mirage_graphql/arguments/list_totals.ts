import { getNamedType, type GraphQLSchema, isObjectType } from "graphql";
import type { MockModel, Relation } from "../orm/models/model_map.ts";
import { isList } from "../schema/types.ts";
import { keyOf, wordsOf } from "../shared/names.ts";

/** A list of a record, and the model of its records. */
export interface OwnList {
  readonly relation: Relation;
  readonly model: MockModel;
}

/** A number of a record, and what of its list it adds up; without an attribute, it counts. */
export interface ListTotal {
  readonly name: string;
  readonly attribute: string | undefined;
}

/** Words around the name of what a number adds up or counts. */
const AROUND = /^(total|totals|sum|overall|of|count|number|num)$/;

/** What adds up without knowing more, as prices don't that also depend on a quantity. */
const ADDED = /^(quantity|qty)$/;

/**
 * The numbers of a record that follow one of its lists: `totalQuantity` and `quantity` are the sum
 * of that attribute, and `linesCount` is the number of records.
 */
export function listTotals(
  graphQLSchema: GraphQLSchema,
  owner: MockModel,
  { relation, model }: OwnList,
): readonly ListTotal[] {
  const attributes = new Map(numbersOf(graphQLSchema, model).map((name) => [keyOf(name), name]));
  const counted = new Set([relation.name, model.collectionName, model.typeName].map(keyOf));
  return numbersOf(graphQLSchema, owner).flatMap((name): ListTotal[] => {
    const words = wordsOf(name);
    const key = words.filter((word) => !AROUND.test(word)).join("");
    const attribute = ADDED.test(key) ? attributes.get(key) : undefined;
    const isCount = words.some((word) => /^(count|number|num)$/.test(word));
    if (attribute !== undefined && !isCount) return [{ name, attribute }];
    return isCount && counted.has(key) ? [{ name, attribute: undefined }] : [];
  });
}

/** The value of a number that follows a list of records. */
export function addUp(
  { attribute }: ListTotal,
  items: readonly Readonly<Record<string, unknown>>[],
): number {
  if (attribute === undefined) return items.length;
  return items.reduce((total, item) => total + Number(item[attribute] ?? 0), 0);
}

function numbersOf(graphQLSchema: GraphQLSchema, { typeName }: MockModel): string[] {
  const type = graphQLSchema.getType(typeName);
  return Object.values(isObjectType(type) ? type.getFields() : {})
    .filter(({ type, args }) =>
      args.length === 0 && !isList(type) && /^(Int|Float)$/.test(getNamedType(type).name)
    )
    .map(({ name }) => name);
}
