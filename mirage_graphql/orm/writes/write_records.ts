import type { MirageRecord } from "../mirage.ts";
import type { MockModel } from "../models/model_map.ts";
import { linkRecords, unlinkRecord, writeRefs } from "./link_records.ts";
import { type RecordRef, refKey, toForeignKey } from "./record_ref.ts";
import { type CreatedRef, findRecord, hasRecord } from "./tables.ts";
import { inTransaction, type Transaction } from "./transaction.ts";
import { labelOfModel, type WriteContext, writeError } from "./write_context.ts";
import { planCreate, planUpdate, type WriteInput, type WritePlan } from "./write_plan.ts";

/**
 * Creates a record with all that its input nests and links, and returns a copy of it.
 *
 * @throws {GraphQLError} Where the id is taken or a related record is not there; then nothing has
 *   been changed.
 */
export function createRecord(
  context: WriteContext,
  model: MockModel,
  input: WriteInput,
): MirageRecord {
  const plan = planCreate(context, model.modelName, input);
  const ref = inTransaction(context, (transaction) => applyPlan(transaction, plan));
  if (plan.links.length === 0 && "record" in ref) return ref.record;
  return requireRecord(context, ref, "read");
}

/**
 * Changes what the input gives of a record, its relations included, and returns a copy of it.
 *
 * @throws {GraphQLError} Where the record, with code `NOT_FOUND`, or a related one is not there, or
 *   the input carries another id; then nothing has been changed.
 */
export function updateRecord(
  context: WriteContext,
  ref: RecordRef,
  input: WriteInput,
): MirageRecord {
  requireRecord(context, ref, "update");
  const plan = planUpdate(context, ref, input);
  inTransaction(context, (transaction) => applyPlan(transaction, plan));
  return requireRecord(context, ref, "read");
}

/**
 * Deletes a record and every link to it, and returns it as it was, foreign keys included.
 *
 * @throws {GraphQLError} With code `NOT_FOUND` where it is not there.
 */
export function deleteRecord(context: WriteContext, ref: RecordRef): MirageRecord {
  const record = requireRecord(context, ref, "delete");
  inTransaction(context, (transaction) => {
    unlinkRecord(transaction, ref);
    transaction.remove(ref);
  });
  return record;
}

/** Writes a plan: the record first, then those it nests, then the links between them. */
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

/** Writes attributes, and the foreign keys of all records that are there already. */
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
  // Asked as late as this, since two nested inputs may ask for one id.
  if (id !== undefined) requireFreeId(transaction, { modelName, id: String(id) });
  try {
    return transaction.create(modelName, record);
  } catch (cause) {
    throw refusedByMirage(transaction, plan, cause);
  }
}

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
 * The copy of a record that must be there.
 *
 * @throws {GraphQLError} With `extensions.code: "NOT_FOUND"`, naming type and id, where it is not.
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
 * Refuses to create a record whose id is taken; Mirage would change the one that has it.
 *
 * @throws {GraphQLError} That names type and id.
 */
function requireFreeId(context: WriteContext, ref: RecordRef): void {
  if (!hasRecord(context.mirageSchema, ref)) return;
  throw writeError(
    `Cannot create ${
      labelOfModel(context, ref.modelName)
    } "${ref.id}": a record with this id exists`,
  );
}
