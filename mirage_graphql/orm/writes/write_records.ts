import { linkRecords } from "./link_records.ts";
import { type RecordRef, refKey, toForeignKey } from "./record_ref.ts";
import { requireFreeId } from "../require_free_id.ts";
import type { CreatedRef } from "./tables.ts";
import type { Transaction } from "./transaction.ts";
import { typeNameOf } from "./write_context.ts";
import { writeError } from "../write_error.ts";
import type { WritePlan } from "../write_plan.ts";
import { writeRefs } from "../write_refs.ts";

/** Writes a plan: the record first, then those it nests, then the links between them. */
export function applyPlan(transaction: Transaction, plan: WritePlan): RecordRef | CreatedRef {
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
  const name = typeNameOf(transaction, modelName) + (id === undefined ? "" : ` "${id}"`);
  const state = cause instanceof Error ? cause.message : String(cause);
  return writeError(`Cannot create ${name}: ${state}`, { cause });
}
