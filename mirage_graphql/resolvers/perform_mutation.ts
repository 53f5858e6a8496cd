import type { MirageRecord } from "../orm/mirage.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import { hasRecord } from "../orm/writes/tables.ts";
import { type WriteContext, writeError } from "../orm/writes/write_context.ts";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import type { MutationKind, MutationTarget } from "./mutation_target.ts";
import { type PayloadValues, payloadValues } from "./payload_values.ts";

/** A record that a mutation wrote, and its model. */
export interface RecordResult {
  readonly model: MockModel;
  /** A copy of the record after the write, or before it was deleted. */
  readonly record: MirageRecord;
}

/** The result of a mutation: a record, or a payload around it. */
export interface MutationResult extends RecordResult {
  readonly payload?: PayloadValues;
}

/** The value of a mutation's field, after the caller has converted its record. */
export function toMutationValue(
  result: MutationResult,
  toValue: (result: RecordResult) => unknown,
): unknown {
  const { payload } = result;
  const value = toValue(result);
  return payload === undefined ? value : { ...payload.others, [payload.fieldName]: value };
}

/** What a field of the mutation type does, and to which records. */
export interface MutationPlan {
  readonly kind: MutationKind;
  readonly target: MutationTarget;
  readonly context: WriteContext;
}

/** Performs a planned mutation with the arguments of one call. */
export function performMutation(
  plan: MutationPlan,
  args: Readonly<Record<string, unknown>>,
): MutationResult {
  const { kind, target: { payload } } = plan;
  const { clientMutationId, ...input } = readInput(plan, args);
  const result = write(plan, args, input);
  if (payload === undefined) return result;
  const deletedId = kind.action === "delete" ? result.record.id : undefined;
  const facts = { model: result.model, clientMutationId, deletedId };
  return { ...result, payload: payloadValues(payload, facts) };
}

function write(
  plan: MutationPlan,
  args: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): RecordResult {
  const { kind, target: { models }, context } = plan;
  if (kind.action === "create") {
    const model = models[0]!;
    return { model, record: createRecord(context, model, input) };
  }
  const { model, ref } = writtenModel(context, models, {
    action: kind.action,
    id: readId(plan, args[kind.idName]),
  });
  const record = kind.action === "update"
    ? updateRecord(context, ref, input)
    : deleteRecord(context, ref);
  return { model, record };
}

function readInput(
  { kind, target }: MutationPlan,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (kind.action === "delete") return {};
  const input = args[kind.input.name];
  if (typeof input === "object" && input !== null) return { ...input };
  throw noArgument(kind, target, kind.input.name);
}

function readId({ kind, target }: MutationPlan, id: unknown): string {
  if (id !== undefined && id !== null) return String(id);
  throw noArgument(kind, target, kind.action === "create" ? "" : kind.idName);
}

function noArgument(kind: MutationKind, { models }: MutationTarget, name: string): Error {
  const names = models.map(({ typeName }) => typeName).join(" or ");
  return writeError(`Cannot ${kind.action} a ${names}: the argument "${name}" is null or missing`);
}

/** The record with an id, and its model. */
export interface WrittenModel {
  readonly model: MockModel;
  readonly ref: RecordRef;
}

/**
 * Finds which of several models has the record with an id.
 *
 * @throws {GraphQLError} With `extensions.code: "NOT_FOUND"` if none has; if two have, the message
 * names both, because each model counts its own ids.
 */
function writtenModel(
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
        "record with this id, and the mutation does not say which one",
    );
  }
  return found;
}
