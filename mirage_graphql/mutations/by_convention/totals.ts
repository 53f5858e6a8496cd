import { addUp, listTotals, type OwnList } from "../../arguments/list_totals.ts";
import type { MirageRecord } from "../../orm/mirage/mirage_schema.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { findRecord, type RecordRef } from "../../orm/writes/record_ref.ts";
import type { RecordWrite } from "../../orm/writes/write_records.ts";
import { isObject } from "../../shared/values.ts";

/**
 * Plans the write that keeps numbers of a record in step with one of its lists: `totalQuantity` and
 * `quantity` are the sum of that attribute, and `linesCount` is the number of records, if the record
 * has such a value.
 */
export function createTotals(
  { graphQLSchema, mirageSchema }: Orm,
  owner: MockModel,
  list: OwnList,
): (ref: RecordRef) => readonly RecordWrite[] {
  const totals = listTotals(graphQLSchema, owner, list);
  return (ref) => {
    const { relation, model } = list;
    const record = findRecord(mirageSchema, ref) ?? {};
    const ids = record[relation.foreignKey];
    const held: readonly unknown[] = Array.isArray(ids) ? ids : [];
    const items = held.map((key): Readonly<MirageRecord> => {
      const { id, type } = isObject(key) ? key : { id: key, type: undefined };
      const modelName = typeof type === "string" ? type : model.modelName;
      return findRecord(mirageSchema, { modelName, id: String(id) }) ?? {};
    });
    const values = totals.filter(({ name, attribute }) => attribute !== undefined || name in record)
      .map((total) => [total.name, addUp(total, items)]);
    if (values.length === 0) return [];
    return [{ modelName: ref.modelName, existing: ref, input: Object.fromEntries(values) }];
  };
}
