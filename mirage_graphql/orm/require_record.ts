import type { MirageRecord } from "./mirage.ts";
import type { RecordRef } from "./writes/record_ref.ts";
import { findRecord } from "./find_record.ts";
import { typeNameOf, type WriteContext } from "./writes/write_context.ts";
import { writeError } from "./write_error.ts";

/**
 * The copy of a record that must be there.
 *
 * @throws {GraphQLError} With `extensions.code: "NOT_FOUND"`, naming type and id, where it is not.
 */
export function requireRecord(
  context: WriteContext,
  ref: RecordRef,
  action: "read" | "update" | "delete",
): MirageRecord {
  const record = findRecord(context.mirageSchema, ref);
  if (record !== undefined) return record;
  const typeName = typeNameOf(context, ref.modelName);
  throw writeError(`Cannot ${action} ${typeName} "${ref.id}": there is no record with this id`, {
    code: "NOT_FOUND",
  });
}
