import type { MirageRecord } from "../orm/mirage.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { PayloadValues } from "./payload_values.ts";

/** A record that a mutation wrote, and the model it stands in. */
export interface RecordResult {
  readonly model: MockModel;
  /** A copy: as it is after the write, or as it was before it was deleted. */
  readonly record: MirageRecord;
}

/** What a mutation answers: a record, or a payload around it. */
export interface MutationResult extends RecordResult {
  readonly payload?: PayloadValues;
}

/** The value of a mutation's field, once its record is turned into one by the caller. */
export function toMutationValue(
  result: MutationResult,
  toValue: (result: RecordResult) => unknown,
): unknown {
  const { payload } = result;
  const value = toValue(result);
  return payload === undefined ? value : { ...payload.others, [payload.fieldName]: value };
}
