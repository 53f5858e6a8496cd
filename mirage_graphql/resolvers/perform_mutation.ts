import { isObject, type MirageRecord } from "../orm/mirage.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import { noRecordState, responseIdOf } from "../orm/record_ids.ts";
import type { RecordRef } from "../orm/writes/record_ref.ts";
import { hasRecord, storedId } from "../orm/writes/tables.ts";
import { type WriteContext, writeError } from "../orm/writes/write_context.ts";
import { encodeCursor } from "../relay/cursor.ts";
import { createRecord, deleteRecord, updateRecord } from "../orm/writes/write_records.ts";
import type { CommonResult } from "./convention_rules.ts";
import type { ArgumentPath } from "./mutation_input.ts";
import type { MutationTarget } from "./mutation_target.ts";
import { unknownNested } from "./nested_input.ts";
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

/** The result of a mutation of any kind. */
export type AnyResult = MutationResult | CommonResult;

/**
 * The value of a mutation's field, after the caller has converted its record. `readRelated` reads
 * a relation of the record.
 */
export function toMutationValue(
  result: AnyResult,
  toValue: (result: RecordResult) => unknown,
  readRelated: (value: unknown, name: string, model: MockModel) => unknown = () => undefined,
): unknown {
  if ("answer" in result) return toCommonValue(result, toValue, readRelated);
  const { payload } = result;
  const value = toValue(result);
  if (payload === undefined) return value;
  const values: Record<string, unknown> = { ...payload.others };
  for (const name of payload.related) values[name] = readRelated(value, name, result.model);
  if (payload.fieldName !== undefined) values[payload.fieldName] = value;
  return values;
}

/** The value of the mutation's field; records are converted by the caller. */
function toCommonValue(
  result: CommonResult,
  toValue: (result: { readonly model: MockModel; readonly record: MirageRecord }) => unknown,
  readRelated: (value: unknown, name: string, model: MockModel) => unknown,
): unknown {
  const { model, records, answer, ...written } = result;
  const values = records.map((record) => toValue({ model, record }));
  const [first] = records;
  const cursor = first && encodeCursor(model.typeName, String(first.id));
  const related = (name: string) =>
    values.length === 0 ? undefined : readRelated(values[0], name, model);
  return answer({ ...written, values, cursor, related });
}

/** What a field of the mutation type does, and to which records. */
export interface MutationPlan {
  readonly action: "create" | "update" | "delete";
  readonly target: MutationTarget;
  readonly context: WriteContext;
  /** Where the id of the record is in the arguments; not for a creation. */
  readonly id?: ArgumentPath;
  /** Where the values to write are in the arguments; not for a deletion. */
  readonly values?: ArgumentPath;
  /** Where the client's id of the mutation is in the arguments. */
  readonly clientMutationId?: ArgumentPath;
  /** The value of the mutation's field by the conventions of widespread APIs. */
  readonly answer?: CommonResult["answer"];
  /** What it does instead if its arguments have an id there, by the same conventions. */
  readonly update?: { readonly id: ArgumentPath; readonly plan: MutationPlan | Error };
  /**
   * Rejects a call that has no id in its input, or more than can be written; `reason` completes "it
   * ...".
   */
  readonly refuse: (reason: string) => Error;
}

type Args = Readonly<Record<string, unknown>>;

/** Performs a planned mutation with the arguments of one call. */
export function performMutation(plan: MutationPlan, args: Args): AnyResult {
  const { action, target: { payload }, answer, update } = plan;
  if (update && (read(args, update.id) ?? null) !== null) {
    if (update.plan instanceof Error) throw update.plan;
    return performMutation(update.plan, args);
  }
  const result = write(plan, args);
  if (payload === undefined) return result;
  const clientMutationId = plan.clientMutationId && read(args, plan.clientMutationId);
  if (answer !== undefined) {
    const { model, record } = result;
    const ids = [String(responseIdOf(plan.context, model, record))];
    return { model, action, records: [record], ids, count: 1, clientMutationId, answer };
  }
  const deletedId = action === "delete"
    ? responseIdOf(plan.context, result.model, result.record)
    : undefined;
  return {
    ...result,
    payload: payloadValues(payload, { model: result.model, clientMutationId, deletedId }),
  };
}

function write(plan: MutationPlan, args: Args): RecordResult {
  const { action, target: { models }, context } = plan;
  const input = readValues(plan, args);
  if (action === "create") {
    const model = models[0]!;
    checkNested(plan, model, input);
    return { model, record: createRecord(context, model, input) };
  }
  const { model, ref } = writtenModel(context, models, { action, id: readId(plan, args) });
  if (action === "delete") return { model, record: deleteRecord(context, ref) };
  checkNested(plan, model, input);
  return { model, record: updateRecord(context, ref, input) };
}

/** Rejects values that would be stored and never read, before anything is written. */
function checkNested({ context, refuse }: MutationPlan, model: MockModel, input: Args): void {
  const unknown = unknownNested(context, model, input);
  if (unknown !== undefined) throw refuse(unknown);
}

/** The values to write, without the id by which the record is found. */
function readValues(plan: MutationPlan, args: Args): Args {
  if (plan.values === undefined) return {};
  const found = read(args, plan.values);
  if (!isObject(found)) throw noArgument(plan, plan.values);
  const { clientMutationId: _, ...values } = found;
  const [key, ...path] = [...plan.id ?? []].reverse();
  const isInside = path.length > 0 && path.reverse().join() === plan.values.join();
  if (isInside && key !== undefined) delete values[key];
  return values;
}

function readId(plan: MutationPlan, args: Args): string {
  const path = plan.id ?? ["id"];
  const id = read(args, path);
  if (id !== undefined && id !== null) return String(id);
  if (path.length === 1) throw noArgument(plan, path);
  throw plan.refuse(
    `needs the id of the ${names(plan.target)} to ${plan.action}, and ${
      labelOf(path)
    } is null or missing`,
  );
}

function read(args: Args, path: ArgumentPath): unknown {
  return path.reduce<unknown>((value, name) => isObject(value) ? value[name] : undefined, args);
}

function noArgument({ action, target }: MutationPlan, path: ArgumentPath): Error {
  return writeError(`Cannot ${action} a ${names(target)}: ${labelOf(path)} is null or missing`);
}

function names({ models }: MutationTarget): string {
  return models.map(({ typeName }) => typeName).join(" or ");
}

function labelOf([argument, ...names]: ArgumentPath): string {
  if (names.length === 0) return `the argument "${argument}"`;
  return `"${names.join(".")}" of the argument "${argument}"`;
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
    .map((model) => {
      const { modelName } = model;
      return { model, ref: { modelName, id: storedId(context, modelName, id) } };
    })
    .filter(({ ref }) => hasRecord(context.mirageSchema, ref));
  if (found === undefined) {
    const names = models.map(({ typeName }) => typeName);
    const state = noRecordState(context, names, id);
    const message = `Cannot ${action} ${names.join(" or ")} "${id}": ${state}`;
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
