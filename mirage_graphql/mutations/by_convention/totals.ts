import { getNamedType, isObjectType } from "graphql";
import type { MirageRecord } from "../../orm/mirage/mirage_schema.ts";
import type { MockModel, Relation } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import type { RecordRef } from "../../orm/writes/record_ref.ts";
import { findRecord } from "../../orm/writes/tables.ts";
import type { RecordWrite } from "../../orm/writes/write_records.ts";
import { isList } from "../../schema/types.ts";
import { isObject } from "../../shared/values.ts";
import { keyOf, wordsOf } from "../../shared/names.ts";

/** A list of a record, and the model of its records. */
interface List {
  readonly relation: Relation;
  readonly model: MockModel;
}

/** A number of a record, and what it adds up; without an attribute, it counts. */
interface Total {
  readonly name: string;
  readonly attribute: string | undefined;
}

/** Words around the name of what a number adds up or counts. */
const AROUND = /^(total|totals|sum|overall|of|count|number|num)$/;

/**
 * Plans the write that keeps numbers of a record in step with one of its lists: `totalQuantity` and
 * `quantity` are the sum of that attribute, and `linesCount` is the number of records, if the record
 * has such a value.
 */
export function createTotals(
  { graphQLSchema, mirageSchema }: Orm,
  owner: MockModel,
  { relation, model }: List,
): (ref: RecordRef) => readonly RecordWrite[] {
  const attributes = new Map(numbersOf(graphQLSchema, model).map((name) => [keyOf(name), name]));
  const counted = new Set([relation.name, model.collectionName, model.typeName].map(keyOf));
  const totals = numbersOf(graphQLSchema, owner).flatMap((name): Total[] => {
    const words = wordsOf(name);
    const key = words.filter((word) => !AROUND.test(word)).join("");
    const attribute = attributes.get(key);
    const isCount = words.some((word) => /^(count|number|num)$/.test(word));
    if (attribute !== undefined && !isCount) return [{ name, attribute }];
    return isCount && counted.has(key) ? [{ name, attribute: undefined }] : [];
  });
  return (ref) => {
    const record = findRecord(mirageSchema, ref) ?? {};
    const ids = record[relation.foreignKey];
    const held: readonly unknown[] = Array.isArray(ids) ? ids : [];
    const items = held.map((key): Readonly<MirageRecord> => {
      const { id, type } = isObject(key) ? key : { id: key, type: undefined };
      const modelName = typeof type === "string" ? type : model.modelName;
      return findRecord(mirageSchema, { modelName, id: String(id) }) ?? {};
    });
    const sum = (attribute: string) =>
      items.reduce((total, item) => total + Number(item[attribute] ?? 0), 0);
    const values = totals.filter(({ name, attribute }) => attribute !== undefined || name in record)
      .map(({ name, attribute }) => [
        name,
        attribute === undefined ? items.length : sum(attribute),
      ]);
    if (values.length === 0) return [];
    return [{ modelName: ref.modelName, existing: ref, input: Object.fromEntries(values) }];
  };
}

function numbersOf(graphQLSchema: Orm["graphQLSchema"], { typeName }: MockModel): string[] {
  const type = graphQLSchema.getType(typeName);
  return Object.values(isObjectType(type) ? type.getFields() : {})
    .filter(({ type, args }) =>
      args.length === 0 && !isList(type) && /^(Int|Float)$/.test(getNamedType(type).name)
    )
    .map(({ name }) => name);
}
