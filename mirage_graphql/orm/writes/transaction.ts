import { copyRecord } from "../../shared/values.ts";
import type { MirageRecord, MirageTable } from "../mirage/mirage_schema.ts";
import { type RecordRef, tableOf, toRecordRef } from "./record_ref.ts";
import type { FollowedWrites, TouchedRecord, WriteContext } from "./write_context.ts";

/** Writes that all happen, or none of them. */
export interface Transaction extends WriteContext, FollowedWrites {
  /** Creates a record, without links. */
  create(modelName: string, attributes: MirageRecord): CreatedRef;
  /** Sets a foreign key of a record, and nothing else. */
  link(ref: RecordRef, foreignKey: string, value: unknown): void;
  /** Removes a record. It must be the last step: it can't be undone. */
  remove(ref: RecordRef): void;
}

/** Runs a write, and undoes it if it throws. */
export function inTransaction<T>(
  context: WriteContext,
  write: (transaction: Transaction) => T,
): T {
  const transaction = new UndoableWrites(context);
  try {
    return write(transaction);
  } catch (error) {
    transaction.undo();
    throw error;
  }
}

/** Keeps what each write undoes. A class: V8 is slow to create its methods for each transaction. */
class UndoableWrites implements Transaction {
  readonly mirageSchema: WriteContext["mirageSchema"];
  readonly models: WriteContext["models"];
  readonly graphQLSchema: WriteContext["graphQLSchema"];
  readonly conventions: WriteContext["conventions"];
  readonly nested: WriteContext["nested"];
  readonly completion: WriteContext["completion"];
  readonly touched: TouchedRecord[] = [];

  constructor(context: WriteContext) {
    this.mirageSchema = context.mirageSchema;
    this.models = context.models;
    this.graphQLSchema = context.graphQLSchema;
    this.conventions = context.conventions;
    this.nested = context.nested;
    this.completion = context.completion;
  }

  find({ modelName, id }: RecordRef): Readonly<MirageRecord> | undefined {
    return this.#table(modelName).find(id) ?? undefined;
  }

  select(modelName: string, fits: (record: MirageRecord) => boolean): RecordRef[] {
    return this.#table(modelName).where(fits).map((record) => toRecordRef(modelName, record));
  }

  create(modelName: string, attributes: MirageRecord): CreatedRef {
    const whole = this.completion?.attributes(modelName, attributes) ?? attributes;
    const ref = insertRecord(this, modelName, whole);
    this.touched.push({ ref, old: undefined, attributes });
    return ref;
  }

  change(ref: RecordRef, attributes: MirageRecord): void {
    this.#keep(ref, attributes);
    storeAttributes(this, ref, attributes);
  }

  link(ref: RecordRef, foreignKey: string, value: unknown): void {
    const attributes = { [foreignKey]: value };
    this.#keep(ref, attributes);
    this.#table(ref.modelName).update(ref.id, attributes);
  }

  remove(ref: RecordRef): void {
    removeRecord(this, ref);
  }

  undo(): void {
    for (const { ref, old } of this.touched.reverse()) {
      if (old === undefined) uncreateRecord(this, ref);
      else restore(this.#table(ref.modelName), old);
    }
  }

  #table(modelName: string): MirageTable {
    return tableOf(this.mirageSchema, modelName);
  }

  #keep(ref: RecordRef, attributes: MirageRecord): void {
    const old = this.#table(ref.modelName).find(ref.id);
    if (old !== null) this.touched.push({ ref, old, attributes });
  }
}

/** Restores a record: `update()` sets the old values and returns the record itself. */
function restore(table: MirageTable, old: MirageRecord): void {
  const record = table.update(String(old.id), old);
  for (const key of Object.keys(record)) if (!Object.hasOwn(old, key)) delete record[key];
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
function insertRecord(
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
function uncreateRecord({ mirageSchema }: WriteContext, { modelName, id }: RecordRef): void {
  const table = tableOf(mirageSchema, modelName);
  table.remove(id);
  delete table.identityManager?._ids?.[id];
}

/** Removes a record to which no association leads any more. */
function removeRecord(context: WriteContext, { modelName, id }: RecordRef): void {
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
