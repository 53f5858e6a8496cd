import { copyRecord } from "./copy_value.ts";
import type { MirageRecord, MirageSchema, MirageTable } from "./mock_schema.ts";
import { type RecordRef, toRecordRef } from "./record_ref.ts";
import type { WriteContext } from "./write_context.ts";

/** Writes that all happen, or none of them. */
export interface Transaction extends WriteContext {
  /** The record, as a copy; `undefined` where there is none. */
  find(ref: RecordRef): MirageRecord | undefined;
  /** The records of a model for which the test holds; it must not change what it is shown. */
  select(modelName: string, fits: (record: MirageRecord) => boolean): RecordRef[];
  /** Creates a record through Mirage's ORM, which gives it its id. */
  create(modelName: string, attributes: MirageRecord): RecordRef;
  /** Sets some attributes of a record. */
  change(ref: RecordRef, attributes: MirageRecord): void;
  /** Destroys a record through Mirage's ORM. It must be the last step: it can't be undone. */
  destroy(ref: RecordRef): void;
}

/** Runs a write, and undoes what it has done when it throws. */
export function inTransaction<T>(
  context: WriteContext,
  write: (transaction: Transaction) => T,
): T {
  const undo: (() => void)[] = [];
  try {
    return write(createTransaction(context, undo));
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

/** The copy of a record that may be handed out; `undefined` where there is none. */
export function findRecord(mirageSchema: MirageSchema, ref: RecordRef): MirageRecord | undefined {
  const record = tableOf(mirageSchema, ref.modelName).find(ref.id);
  return record === null ? undefined : copyRecord(record);
}

/** Tells whether the database has a record. */
export function hasRecord(mirageSchema: MirageSchema, ref: RecordRef): boolean {
  return tableOf(mirageSchema, ref.modelName).find(ref.id) !== null;
}

function createTransaction(context: WriteContext, undo: (() => void)[]): Transaction {
  const { mirageSchema } = context;
  const table = (modelName: string) => tableOf(mirageSchema, modelName);
  return {
    ...context,
    find: (ref) => findRecord(mirageSchema, ref),
    select: (modelName, fits) =>
      table(modelName).where(fits).map((record) => toRecordRef(modelName, record)),
    create(modelName, attributes) {
      const ref = toRecordRef(modelName, mirageSchema.create(modelName, attributes).attrs);
      undo.push(() => table(modelName).remove(ref.id));
      return ref;
    },
    change(ref, attributes) {
      const old = table(ref.modelName).find(ref.id) ?? {};
      undo.push(() => restore(table(ref.modelName), old, Object.keys(attributes)));
      // Not `model.update()`: it saves every relation anew, and a list that still names a child of
      // another parent would take that child back.
      table(ref.modelName).update(ref.id, attributes);
    },
    destroy: ({ modelName, id }) => mirageSchema.find(modelName, id)?.destroy(),
  };
}

function restore(table: MirageTable, old: MirageRecord, keys: readonly string[]): void {
  table.update(old.id, Object.fromEntries(keys.map((key) => [key, old[key]])));
}

function tableOf(mirageSchema: MirageSchema, modelName: string): MirageTable {
  const name = mirageSchema.toCollectionName(modelName);
  const table = mirageSchema.db._collections.find((collection) => collection.name === name);
  if (table === undefined) {
    throw new RangeError(`Cannot use table "${name}": Mirage's database has none for ${modelName}`);
  }
  return table;
}
