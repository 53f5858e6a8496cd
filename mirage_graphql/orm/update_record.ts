import { applyPlan } from "./apply_plan.ts";
import type { MirageRecord } from "./mock_schema.ts";
import { planUpdate, type WriteInput } from "./plan_write.ts";
import type { RecordRef } from "./record_ref.ts";
import { requireRecord } from "./require_record.ts";
import { inTransaction } from "./transaction.ts";
import type { WriteContext } from "./write_context.ts";

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
