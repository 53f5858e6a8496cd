import type { MirageRecord } from "../mirage/mirage_schema.ts";
import type { MockModel } from "../models/model_map.ts";
import { linkRecords, unlinkRecord, writeRefs } from "./link_records.ts";
import { findRecord, hasRecord, type RecordRef, refKey, toForeignKey } from "./record_ref.ts";
import { type CreatedRef, inTransaction, type Transaction } from "./transaction.ts";
import { labelOfModel, type WriteContext, writeError } from "./write_context.ts";
import type { WriteInput, WritePlan } from "./nested_conventions.ts";
import { planCreate, planUpdate } from "./write_plan.ts";

/** A record to write: the one to update, or a new one of the model. */
export interface RecordWrite {
  readonly modelName: string;
  readonly existing: RecordRef | undefined;
  readonly input: WriteInput;
  /**
   * Further writes once the record is written, which are done or undone with it: a list that has
   * it, or a total of one.
   */
  readonly after?: ((ref: RecordRef) => readonly RecordWrite[]) | undefined;
  /** Records that are deleted after everything else is written. */
  readonly removed?: readonly RecordRef[] | undefined;
}

/** What several writes have done. */
export interface WrittenRecords {
  /** Copies of the records, in the order of the writes. */
  readonly records: readonly MirageRecord[];
  /** How many records were written, with those that the inputs nest. */
  readonly count: number;
}

/**
 * Makes several writes in order, so that each sees those before: all of them, or none if one is
 * refused. A function is called when its turn comes, and writes nothing if it returns `undefined`.
 */
export function writeRecords(
  context: WriteContext,
  writes: readonly (() => RecordWrite | undefined)[],
): WrittenRecords {
  const written = inTransaction(context, (transaction) => {
    const removed: RecordRef[] = [];
    const written: { plan: WritePlan; ref: RecordRef | CreatedRef }[] = [];
    for (const next of writes) {
      const write = next();
      if (write === undefined) continue;
      removed.push(...write.removed ?? []);
      const plan = planOf(context, write);
      const ref = applyCompleted(transaction, plan);
      const further = write.after?.(toRef(ref)) ?? [];
      for (const one of further) applyCompleted(transaction, planOf(context, one));
      written.push({ plan, ref: further.length === 0 ? ref : toRef(ref) });
    }
    for (const { plan } of written) removed.push(...removalsOf(plan));
    removeAll(transaction, removed, context.follow);
    return written;
  });
  const isAlone = written.length === 1;
  return {
    records: written.map(({ plan, ref }) =>
      isAlone && !context.follow && plan.links.length === 0 && "record" in ref
        ? ref.record
        : requireRecord(context, ref, "read")
    ),
    count: written.reduce((sum, { plan }) => sum + sizeOf(plan), 0),
  };
}

function toRef({ modelName, id }: RecordRef): RecordRef {
  return { modelName, id };
}

function planOf(context: WriteContext, { modelName, existing, input }: RecordWrite): WritePlan {
  if (existing === undefined) return planCreate(context, modelName, input);
  requireRecord(context, existing, "update");
  return planUpdate(context, existing, input);
}

/** How many records a plan writes or deletes. */
function sizeOf({ links }: WritePlan): number {
  return links.reduce(
    (size, { targets, removed = [] }) =>
      targets.reduce((sum, target) => sum + (isRef(target) ? 0 : sizeOf(target)), size) +
      removed.length,
    1,
  );
}

/** Deletes several records, and returns them as they were. */
export function deleteRecords(
  context: WriteContext,
  refs: readonly RecordRef[],
): WrittenRecords {
  const records = refs.map((ref) => requireRecord(context, ref, "delete"));
  inTransaction(context, (transaction) => removeAll(transaction, refs, context.follow));
  return { records, count: records.length };
}

/** Creates a record with all that its input nests and links, and returns a copy of it. */
export function createRecord(
  context: WriteContext,
  model: MockModel,
  input: WriteInput,
): MirageRecord {
  const { records } = writeRecords(context, [
    () => ({ modelName: model.modelName, existing: undefined, input }),
  ]);
  return records[0]!;
}

/** The records to delete after a plan is applied. */
function removalsOf({ links }: WritePlan): RecordRef[] {
  return links.flatMap(({ targets, removed = [] }) => [
    ...removed,
    ...targets.flatMap((target) => isRef(target) ? [] : removalsOf(target)),
  ]);
}

/**
 * Removes records, after what follows from the whole transaction is written: removals come last,
 * because they can't be undone.
 */
function removeAll(
  transaction: Transaction,
  refs: readonly RecordRef[],
  follow: WriteContext["follow"],
): void {
  const removed = distinct(refs);
  for (const ref of removed) unlinkRecord(transaction, ref);
  follow?.(transaction);
  for (const ref of removed) transaction.remove(ref);
}

/**
 * Updates a record with the fields of the input, including relations, and returns a copy of it.
 *
 * @throws {GraphQLError} If the record (code `NOT_FOUND`) or a related one doesn't exist, or the
 * input has another id; nothing is changed then.
 */
export function updateRecord(
  context: WriteContext,
  ref: RecordRef,
  input: WriteInput,
): MirageRecord {
  return writeRecords(context, [() => ({ modelName: ref.modelName, existing: ref, input })])
    .records[0]!;
}

/**
 * Deletes a record and every link to it, and returns it as it was, including foreign keys.
 *
 * @throws {GraphQLError} With code `NOT_FOUND` if it doesn't exist.
 */
export function deleteRecord(context: WriteContext, ref: RecordRef): MirageRecord {
  return deleteRecords(context, [ref]).records[0]!;
}

/** Writes a plan, and links a new record to what it must not lack. */
function applyCompleted(transaction: Transaction, plan: WritePlan): RecordRef | CreatedRef {
  const ref = applyPlan(transaction, plan);
  const links = plan.existing === undefined ? transaction.completion?.links(ref) ?? [] : [];
  if (links.length === 0) return ref;
  const owner = { modelName: ref.modelName, id: ref.id };
  for (const { association, target } of links) {
    writeRefs(transaction, owner, { association, refs: [target] });
    linkRecords(transaction, { owner, association, targets: [target], isNewOwner: true });
  }
  return owner;
}

/** Writes a plan: the record first, then nested records, then the links between them. */
function applyPlan(transaction: Transaction, plan: WritePlan): RecordRef | CreatedRef {
  const owner = writeRecord(transaction, plan);
  const isNewOwner = plan.existing === undefined;
  for (const [index, { association, targets }] of plan.links.entries()) {
    const written = targets.map((target) =>
      isRef(target) ? target : applyPlan(transaction, target)
    );
    const refs = distinct(written);
    // Written already, unless the link before has changed it: a relation of a type with itself.
    const isWritten = index === 0 && targets.every(isRef);
    if (!isWritten) writeRefs(transaction, owner, { association, refs });
    linkRecords(transaction, { owner, association, targets: refs, isNewOwner });
  }
  return owner;
}

/** Writes attributes, and the foreign keys of records that exist already. */
function writeRecord(transaction: Transaction, plan: WritePlan): RecordRef | CreatedRef {
  const { existing, modelName, attributes: { id } } = plan;
  const record = { ...plan.attributes };
  for (const { association, targets } of plan.links) {
    if (!targets.every(isRef)) continue;
    record[association.foreignKey] = toForeignKey(distinct(targets), association);
  }
  if (existing !== undefined) {
    if (Object.keys(record).length > 0) transaction.change(existing, record);
    return existing;
  }
  // Checked this late because two nested inputs may have the same id.
  if (id !== undefined) requireFreeId(transaction, { modelName, id: String(id) });
  try {
    return transaction.create(modelName, record);
  } catch (cause) {
    throw refusedByMirage(transaction, plan, cause);
  }
}

/** Whether what a relation leads to exists already, so that nothing is planned for it. */
function isRef(target: RecordRef | WritePlan): target is RecordRef {
  return !("links" in target);
}

function distinct(refs: readonly RecordRef[]): RecordRef[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}

function refusedByMirage(transaction: Transaction, plan: WritePlan, cause: unknown): Error {
  const { modelName, attributes: { id } } = plan;
  const name = labelOfModel(transaction, modelName) + (id === undefined ? "" : ` "${id}"`);
  const state = cause instanceof Error ? cause.message : String(cause);
  return writeError(`Cannot create ${name}: ${state}`, { cause });
}

/**
 * A copy of a record that has to exist.
 *
 * @throws {GraphQLError} With `extensions.code: "NOT_FOUND"`, type and id, if it doesn't.
 */
function requireRecord(
  context: WriteContext,
  ref: RecordRef,
  action: "read" | "update" | "delete",
): MirageRecord {
  const record = findRecord(context.mirageSchema, ref);
  if (record !== undefined) return record;
  const typeName = labelOfModel(context, ref.modelName);
  throw writeError(`Cannot ${action} ${typeName} "${ref.id}": there is no record with this id`, {
    code: "NOT_FOUND",
  });
}

/**
 * Rejects an id that is taken; Mirage would change the record that has it.
 *
 * @throws {GraphQLError} With type and id.
 */
function requireFreeId(context: WriteContext, ref: RecordRef): void {
  if (!hasRecord(context.mirageSchema, ref)) return;
  throw writeError(
    `Cannot create ${
      labelOfModel(context, ref.modelName)
    } "${ref.id}": a record with this id exists`,
  );
}
