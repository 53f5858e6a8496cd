import { copyRecord } from "./values.ts";
import type { MirageRecord, MirageSchema } from "./mirage.ts";
import type { RecordRef } from "./writes/record_ref.ts";
import { tableOf } from "./table_of.ts";

/** A copy of a record that may be handed out; `undefined` where there is none. */
export function findRecord(mirageSchema: MirageSchema, ref: RecordRef): MirageRecord | undefined {
  const record = tableOf(mirageSchema, ref.modelName).find(ref.id);
  return record === null ? undefined : copyRecord(record);
}

/** Tells whether the database has a record. */
export function hasRecord(mirageSchema: MirageSchema, ref: RecordRef): boolean {
  return tableOf(mirageSchema, ref.modelName).find(ref.id) !== null;
}
