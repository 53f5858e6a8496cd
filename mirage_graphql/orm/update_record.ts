import { applyPlan } from "./writes/write_records.ts";
import type { MirageRecord } from "./mirage.ts";
import { planUpdate, type WriteInput } from "./writes/write_plan.ts";
import type { RecordRef } from "./writes/record_ref.ts";
import { requireRecord } from "./require_record.ts";
import { inTransaction } from "./writes/transaction.ts";
import type { WriteContext } from "./writes/write_context.ts";

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
