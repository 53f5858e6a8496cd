import { linkRecords } from "./link_records.ts";
import { hasRef, type RecordRef } from "./record_ref.ts";
import { requireFreeId } from "./require_free_id.ts";
import type { CreatedRef } from "./stored_record.ts";
import type { Transaction } from "./transaction.ts";
import { typeNameOf } from "./write_context.ts";
import { writeError } from "./write_error.ts";
import type { WritePlan } from "./write_plan.ts";

/** Writes a plan: the record first, then those it nests, then the links between them. */
export function applyPlan(transaction: Transaction, plan: WritePlan): RecordRef | CreatedRef {
  const owner = writeAttributes(transaction, plan);
  for (const { association, targets } of plan.links) {
    const refs: RecordRef[] = [];
    for (const target of targets) {
      const ref = "links" in target ? applyPlan(transaction, target) : target;
      if (!hasRef(refs, ref)) refs.push(ref);
    }
    const isNewOwner = plan.existing === undefined;
    linkRecords(transaction, { owner, association, targets: refs, isNewOwner });
  }
  return owner;
}

function writeAttributes(transaction: Transaction, plan: WritePlan): RecordRef | CreatedRef {
  const { existing, modelName, attributes } = plan;
  if (existing !== undefined) {
    if (Object.keys(attributes).length > 0) transaction.change(existing, attributes);
    return existing;
  }
  // Asked as late as this, since two nested inputs may ask for one id.
  if (attributes.id !== undefined) {
    requireFreeId(transaction, { modelName, id: String(attributes.id) });
  }
  try {
    return transaction.create(modelName, attributes);
  } catch (cause) {
    throw refusedByMirage(transaction, plan, cause);
  }
}

function refusedByMirage(transaction: Transaction, plan: WritePlan, cause: unknown): Error {
  const { modelName, attributes: { id } } = plan;
  const name = typeNameOf(transaction, modelName) + (id === undefined ? "" : ` "${id}"`);
  const state = cause instanceof Error ? cause.message : String(cause);
  return writeError(`Cannot create ${name}: ${state}`, { cause });
}
