import type { MockModel } from "../orm/models/model_map.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import { hasRecord } from "../orm/find_record.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import { writeError } from "../orm/write_error.ts";

/** The record that an id names, and its model. */
export interface WrittenModel {
  readonly model: MockModel;
  readonly ref: RecordRef;
}

/**
 * Finds which of several models holds the record of an id.
 *
 * @throws {GraphQLError} With `extensions.code: "NOT_FOUND"` where none does; where two do, the
 *   message names both, since each model counts its own ids.
 */
export function writtenModel(
  context: WriteContext,
  models: readonly MockModel[],
  written: { readonly action: "update" | "delete"; readonly id: string },
): WrittenModel {
  const { action, id } = written;
  const [found, other] = models
    .map((model) => ({ model, ref: { modelName: model.modelName, id } }))
    .filter(({ ref }) => hasRecord(context.mirageSchema, ref));
  const names = models.map(({ typeName }) => typeName).join(" or ");
  if (found === undefined) {
    const message = `Cannot ${action} ${names} "${id}": there is no record with this id`;
    throw writeError(message, { code: "NOT_FOUND" });
  }
  if (other !== undefined) {
    throw writeError(
      `Cannot ${action} "${id}": ${found.model.typeName} and ${other.model.typeName} both have a ` +
        "record with this id, and the mutation does not tell which",
    );
  }
  return found;
}
