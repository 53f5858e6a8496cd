import type { MirageRecord, MirageSchema, MirageTable } from "../mirage/mirage_schema.ts";
import { readKey, toTableId } from "../records/record_ids.ts";
import { copyRecord } from "../../shared/values.ts";
import { type RecordRef, toRecordRef } from "./record_ref.ts";
import type { WriteContext } from "./write_context.ts";

/** A copy of a record; `undefined` if there is none. */
export function findRecord(mirageSchema: MirageSchema, ref: RecordRef): MirageRecord | undefined {
  const record = tableOf(mirageSchema, ref.modelName).find(ref.id);
  return record === null ? undefined : copyRecord(record);
}

/** Whether the database has a record. */
export function hasRecord(mirageSchema: MirageSchema, ref: RecordRef): boolean {
  return tableOf(mirageSchema, ref.modelName).find(ref.id) !== null;
}

/**
 * The id in its table of the record that an id of a request names: a local or global one, or the
 * value of the field that its type has instead. If there is none, that is the id as it is given.
 */
export function storedId(context: WriteContext, modelName: string, id: unknown): string {
  const { mirageSchema, models } = context;
  const model = models.ofModel(modelName);
  if (model === undefined) return String(id);
  const [record] = model.key === undefined ? [] : tableOf(mirageSchema, modelName)
    .where((record: MirageRecord) => String(readKey(context, model, record)) === String(id));
  return String(record === undefined ? toTableId(context, model, id) : record.id);
}

// A user-defined model class may have its own method for a write; then Mirage's ORM calls it. All
// other writes go directly to the table: the ORM would save every relation again, which copies
// whole tables, and would return a child to a parent whose list still contains it.

/** Identifies a record that was just created. */
export interface CreatedRef extends RecordRef {
  /** The record as it was created, before links were made; a copy. */
  readonly record: MirageRecord;
}

/** Inserts a record; Mirage assigns an id if it has none. */
export function insertRecord(
  context: WriteContext,
  modelName: string,
  attributes: MirageRecord,
): CreatedRef {
  const { mirageSchema, models } = context;
  if (hasOwnMethod(context, modelName, ["save"])) {
    return toCreatedRef(modelName, mirageSchema.create(modelName, attributes).attrs);
  }
  const record: MirageRecord = {};
  for (const { foreignKey } of models.ofModel(modelName)?.relations.values() ?? []) {
    record[foreignKey] = null;
  }
  return toCreatedRef(
    modelName,
    tableOf(mirageSchema, modelName).insert(Object.assign(record, attributes)),
  );
}

function toCreatedRef(modelName: string, record: MirageRecord): CreatedRef {
  return { ...toRecordRef(modelName, record), record: copyRecord(record) };
}

/** Sets attributes of a record that exists. */
export function storeAttributes(
  context: WriteContext,
  { modelName, id }: RecordRef,
  attributes: MirageRecord,
): void {
  const { mirageSchema } = context;
  if (hasOwnMethod(context, modelName, ["save", "update"])) {
    mirageSchema.find(modelName, id)?.update(attributes);
  } else {
    tableOf(mirageSchema, modelName).update(id, attributes);
  }
}

/** Undoes the creation of a record; its id is free again. */
export function uncreateRecord({ mirageSchema }: WriteContext, { modelName, id }: RecordRef): void {
  const table = tableOf(mirageSchema, modelName);
  table.remove(id);
  delete table.identityManager?._ids?.[id];
}

/** Removes a record to which no association leads any more. */
export function removeRecord(context: WriteContext, { modelName, id }: RecordRef): void {
  const { mirageSchema } = context;
  if (hasOwnMethod(context, modelName, ["destroy"])) {
    mirageSchema.find(modelName, id)?.destroy();
  } else {
    tableOf(mirageSchema, modelName).remove(id);
  }
}

function hasOwnMethod(
  { models }: WriteContext,
  modelName: string,
  names: readonly string[],
): boolean {
  const model = models.ofModel(modelName);
  return model === undefined || names.some((name) => model.getters.has(name));
}

/**
 * The table of a model.
 *
 * @throws {RangeError} If the database has none.
 */
export function tableOf(mirageSchema: MirageSchema, modelName: string): MirageTable {
  const name = mirageSchema.toCollectionName(modelName);
  const table = mirageSchema.db._collections.find((collection) => collection.name === name);
  if (table === undefined) {
    throw new RangeError(`Cannot use table "${name}": Mirage's database has none for ${modelName}`);
  }
  return table;
}
