import type { MirageRecord } from "../mirage.ts";
import type { MockModel } from "../models/model_map.ts";
import type { WriteInput, WritePlan } from "./nested_conventions.ts";
import type { RecordRef } from "./record_ref.ts";
import { inTransaction } from "./transaction.ts";
import type { WriteContext } from "./write_context.ts";
import { planCreate, planUpdate } from "./write_plan.ts";
import { applyCompleted, isRef, removalsOf, removeAll, requireRecord } from "./write_records.ts";

/** A record to write: the one to update, or a new one of the model. */
export interface RecordWrite {
  readonly model: MockModel;
  readonly existing: RecordRef | undefined;
  readonly input: WriteInput;
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
  let count = 0;
  const refs = inTransaction(context, (transaction) => {
    const removed: RecordRef[] = [];
    const written = writes.flatMap((next) => {
      const write = next();
      if (write === undefined) return [];
      const plan = planOf(context, write);
      count += sizeOf(plan);
      removed.push(...removalsOf(plan));
      return applyCompleted(transaction, plan);
    });
    removeAll(transaction, removed);
    return written;
  });
  return { records: refs.map((ref) => requireRecord(context, ref, "read")), count };
}

function planOf(context: WriteContext, { model, existing, input }: RecordWrite): WritePlan {
  if (existing === undefined) return planCreate(context, model.modelName, input);
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
  inTransaction(context, (transaction) => removeAll(transaction, refs));
  return { records, count: records.length };
}
