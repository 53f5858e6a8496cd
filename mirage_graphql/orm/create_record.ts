import { applyPlan } from "./writes/write_records.ts";
import type { MirageRecord } from "./mirage.ts";
import type { MockModel } from "./models/model_map.ts";
import { planCreate, type WriteInput } from "./writes/write_plan.ts";
import { requireRecord } from "./require_record.ts";
import { inTransaction } from "./writes/transaction.ts";
import type { WriteContext } from "./writes/write_context.ts";

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
