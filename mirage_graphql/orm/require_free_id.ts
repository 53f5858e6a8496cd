import type { RecordRef } from "./writes/record_ref.ts";
import { hasRecord } from "./find_record.ts";
import { typeNameOf, type WriteContext } from "./writes/write_context.ts";
import { writeError } from "./write_error.ts";

/**
 * Refuses to create a record whose id is taken; Mirage would change the one that has it.
 *
 * @throws {GraphQLError} That names type and id.
 */
export function requireFreeId(context: WriteContext, ref: RecordRef): void {
  if (!hasRecord(context.mirageSchema, ref)) return;
  throw writeError(
    `Cannot create ${typeNameOf(context, ref.modelName)} "${ref.id}": a record with this id exists`,
  );
}
