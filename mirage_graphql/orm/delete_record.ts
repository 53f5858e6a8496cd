import type { MirageRecord } from "./mirage.ts";
import type { RecordRef } from "./writes/record_ref.ts";
import { requireRecord } from "./require_record.ts";
import { inTransaction } from "./writes/transaction.ts";
import { unlinkRecord } from "./unlink_record.ts";
import type { WriteContext } from "./writes/write_context.ts";

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
