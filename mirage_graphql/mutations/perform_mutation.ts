import type { WriteAction } from "../dialects/dialect.ts";
import { hasField, type MockModel } from "../orm/models/model_map.ts";
import { noRecordState, responseIdOf } from "../orm/records/record_ids.ts";
import { findRecord, type RecordRef } from "../orm/writes/record_ref.ts";
import { deleteRecords, type RecordWrite, writeRecords } from "../orm/writes/write_records.ts";
import { type WriteContext, writeError } from "../orm/writes/write_context.ts";
import { encodeCursor } from "../relay/cursor.ts";
import { unknownNested } from "./nested_input.ts";
import type { ResolverCall } from "../arguments/call.ts";
import {
  type Answer,
  type FoundRecord,
  type RecordResult,
  UnreadArgument,
  type Values,
  type WriteIntent,
  type WriteItem,
} from "./write_intent.ts";
import { isObject } from "../shared/values.ts";

/** What a mutation wrote, and how that becomes its value. */
export interface MutationResult {
  readonly action: WriteAction;
  readonly records: readonly RecordResult[];
  /** Their ids in the form of responses. */
  readonly ids: readonly string[];
  /** How many records were written, including nested ones. */
  readonly count: number;
  readonly clientMutationId: unknown;
  /** The value of the mutation's field. */
  readonly answer: Answer;
  /** Finds a record of another model for the answer. */
  readonly other: (typeName: string) => RecordResult | undefined;
}

/**
 * The value of a mutation's field, after the caller has converted its records. `readRelated` reads a
 * relation of the first one.
 */
export function toMutationValue(
  { records, answer, other, ...written }: MutationResult,
  toValue: (result: RecordResult) => unknown,
  readRelated: (value: unknown, name: string, model: MockModel) => unknown = () => undefined,
): unknown {
  const values = records.map(toValue);
  const [first] = records;
  const cursor = first && encodeCursor(first.model.typeName, String(first.record.id));
  const related = (name: string) => first && readRelated(values[0], name, first.model);
  const otherValue = (typeName: string) => {
    const found = other(typeName);
    return found && toValue(found);
  };
  return answer({ ...written, values, cursor, related, other: otherValue });
}

/** Performs a mutation with the arguments of one call, as a whole or not at all. */
export function performMutation(
  context: WriteContext,
  intent: WriteIntent,
  args: Values,
  call?: ResolverCall,
): MutationResult {
  const { action, answer } = intent;
  try {
    const { records, count } = write(context, intent, intent.read(args, call));
    const inputs = [args, ...Object.values(args).filter(isObject)];
    const { clientMutationId } = inputs.find(({ clientMutationId }) =>
      clientMutationId !== undefined
    ) ?? {};
    const ids = records.map(({ model, record }) => String(responseIdOf(context, model, record)));
    const other = (typeName: string) => intent.other?.(typeName, { args, call, first: records[0] });
    return { action, records, ids, count, clientMutationId, answer, other };
  } catch (error) {
    throw error instanceof UnreadArgument ? intent.refuse(error.message) : error;
  }
}

/** Every item's write, one after the other, so that each sees those before it. */
function write(
  context: WriteContext,
  intent: WriteIntent,
  items: readonly WriteItem[],
): Pick<MutationResult, "records" | "count"> {
  const { action } = intent;
  const [model] = intent.models;
  if (action === "create" || action === "upsert") {
    const next = action === "create" ? creation : upsertion;
    const { records, count } = writeRecords(
      context,
      items.map((item) => () => next(context, intent, item)),
    );
    return { records: records.map((record) => ({ model: model!, record })), count };
  }
  const found = items.flatMap((item) => intent.find(item).map((one) => ({ ...one, item })));
  for (const { ref, item } of found) checkConditions(context, intent, item, ref);
  const { records, count } = action === "delete"
    ? deleteRecords(context, found.map(({ ref }) => ref))
    : writeRecords(context, found.map((one) => () => update(context, intent, one.item, one)));
  return {
    records: records.map((record, index) => ({ model: found[index]!.model, record })),
    count,
  };
}

/** Creates a record, unless one that has the same key is updated or kept. */
function creation(
  context: WriteContext,
  intent: WriteIntent,
  item: WriteItem,
): RecordWrite | undefined {
  const model = intent.models[0]!;
  const input = checkedValues(context, intent, model, item.created ?? item.values);
  intent.check?.(item, {});
  const { existing, input: resolved } = intent.conflict?.(item, input) ??
    { existing: undefined, input };
  return resolved && {
    modelName: model.modelName,
    existing,
    input: resolved,
    after: afterOf(intent, item),
  };
}

/** Updates the record that is found, or creates one with its keys. */
function upsertion(
  context: WriteContext,
  intent: WriteIntent,
  item: WriteItem,
): RecordWrite | undefined {
  const [found] = intent.find(item);
  if (found !== undefined) {
    checkConditions(context, intent, item, found.ref);
    return update(context, intent, item, found);
  }
  const values = checkedValues(context, intent, intent.models[0]!, item.created ?? item.values);
  return creation(context, intent, { ...item, created: { ...item.keys, ...values } });
}

function update(
  context: WriteContext,
  intent: WriteIntent,
  item: WriteItem,
  { model, ref }: FoundRecord,
): RecordWrite {
  const isChange = item.changes.length > 0 && item.values === undefined;
  const values = isChange ? {} : checkedValues(context, intent, model, item.values);
  const write = { modelName: ref.modelName, existing: ref, after: afterOf(intent, item) };
  if (item.changes.length === 0) return { ...write, input: values };
  const record = findRecord(context.mirageSchema, ref) ?? {};
  return { ...write, input: { ...values, ...intent.changed?.(item, record, model) } };
}

function afterOf(intent: WriteIntent, item: WriteItem): RecordWrite["after"] {
  return intent.after && ((ref) => intent.after?.(item, ref) ?? []);
}

function checkConditions(
  { mirageSchema }: WriteContext,
  intent: WriteIntent,
  item: WriteItem,
  ref: RecordRef,
): void {
  if (item.conditions.length === 0) return;
  intent.check?.(item, findRecord(mirageSchema, ref) ?? {});
}

/** The values to write; those that would be stored and never read are rejected before any write. */
function checkedValues(
  context: WriteContext,
  { action, isPartial, refuse }: WriteIntent,
  model: MockModel,
  values: Values | undefined,
): Values {
  if (values === undefined) throw refuse(`needs values to ${action}, and the call has none`);
  const unknown = unknownNested(context, model, values);
  if (unknown !== undefined) throw refuse(unknown);
  const extra = Object.keys(values).find((name) => !hasField(context.graphQLSchema, model, name));
  if (!isPartial || extra === undefined) return values;
  throw refuse(`changes a part of the ${model.typeName}, which has no "${extra}"`);
}

/** The error of a record that is to be written and doesn't exist. */
export function notFound(
  context: WriteContext,
  { action, models }: Pick<WriteIntent, "action" | "models">,
  label: string,
  id: unknown,
): Error {
  const names = models.map(({ typeName }) => typeName);
  const state = noRecordState(context, names, id);
  return writeError(`Cannot ${action} ${names.join(" or ")} ${label}: ${state}`, {
    code: "NOT_FOUND",
  });
}
