import { isObject, type MirageRecord } from "../../orm/mirage.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import type { Orm } from "../../orm/orm.ts";
import { noRecordState, responseIdOf } from "../../orm/record_ids.ts";
import type { RecordRef } from "../../orm/writes/record_ref.ts";
import { findRecord } from "../../orm/writes/tables.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import {
  deleteRecords,
  type RecordWrite,
  writeRecords,
  type WrittenRecords,
} from "../../orm/writes/write_many.ts";
import type { Answer, CommonResult, WriteAction } from "../convention_rules.ts";
import { unknownNested } from "../nested_input.ts";
import { resolveConflict } from "./conflict.ts";
import { findRefs, type Matches, matchKeys, matchWhere, type Values } from "./record_matcher.ts";
import { valueChange } from "./value_changes.ts";
import {
  type ArgumentReader,
  oneByOne,
  UnreadArgument,
  type WriteItem,
} from "./write_arguments.ts";
import { hasField } from "./write_roles.ts";

/** A mutation in the style of a widespread API. */
export interface CommonMutation {
  readonly model: MockModel;
  readonly action: WriteAction;
  /** Whether it may refer to a part of the record, so that values without a field are rejected. */
  readonly isPartial: boolean;
  readonly orm: Orm & WriteContext;
  readonly reader: ArgumentReader;
  readonly answer: Answer;
  /** Whether it writes all records that it finds, rather than one. */
  readonly isBulk: boolean;
  /** Rejects a call; `reason` completes "it ...". */
  readonly refuse: (reason: string) => Error;
}

/** The arguments of one call. */
export interface CommonCall {
  readonly args: Values;
  /** The arguments of the request, without those that a default of the schema has set. */
  readonly given: Values;
  /** The id of the record to write if the arguments have none. */
  readonly currentId?: string | undefined;
}

/** Performs a mutation with the arguments of one call, as a whole or not at all. */
export function performCommonMutation(
  mutation: CommonMutation,
  call: CommonCall,
): CommonResult {
  const { model, action, answer } = mutation;
  try {
    const written = write(mutation, call);
    const inputs = [call.args, ...Object.values(call.args).filter(isObject)];
    const clientMutationId = inputs.find((input) => input.clientMutationId)?.clientMutationId;
    const ids = written.records.map((record) => String(responseIdOf(mutation.orm, model, record)));
    return { ...written, model, action, ids, clientMutationId, answer };
  } catch (error) {
    throw error instanceof UnreadArgument ? mutation.refuse(error.message) : error;
  }
}

function write(mutation: CommonMutation, { args, given, currentId }: CommonCall): WrittenRecords {
  const { model, action, orm, reader } = mutation;
  const items = reader.read(args, given)
    .map((item) => currentId === undefined ? item : { ...item, keys: { id: currentId } });
  if (action === "create") {
    return writeRecords(orm, items.map((item) => () => creation(mutation, item)));
  }
  if (action === "upsert") {
    return writeRecords(orm, items.map((item) => () => upsertion(mutation, item)));
  }
  const found = items.flatMap((item) => refsOf(mutation, item).map((ref) => ({ ref, item })));
  for (const { ref, item } of found) {
    checkConditions(mutation, item, findRecord(orm.mirageSchema, ref));
  }
  if (action === "delete") {
    const records = deleteRecords(orm, found.map(({ ref }) => ref));
    return { records, count: records.length };
  }
  return writeRecords(
    orm,
    found.map(({ ref, item }) => () => ({
      model,
      existing: ref,
      input: updated(mutation, ref, item),
    })),
  );
}

function creation(mutation: CommonMutation, item: WriteItem): RecordWrite | undefined {
  const { orm, model } = mutation;
  const input = checked(mutation, item.created ?? item.values);
  checkConditions(mutation, item, {});
  const conflict = item.conflict === "skip" ? item.conflict : item.conflict?.where;
  const { existing, input: resolved } = resolveConflict(orm, model, { input, conflict });
  return resolved && { model, existing, input: resolved };
}

/** Updates the record that is found, or creates one with its keys. */
function upsertion(mutation: CommonMutation, item: WriteItem): RecordWrite | undefined {
  const { orm, model, refuse } = mutation;
  const tests = testsOf(mutation, item);
  const found = tests.length === 0 ? [] : findRefs(orm, model, tests);
  if (found.length > 1) {
    throw refuse(`writes one ${model.typeName}, and the call finds ${found.length}`);
  }
  const [existing] = found;
  if (existing !== undefined) {
    checkConditions(mutation, item, findRecord(orm.mirageSchema, existing));
    return { model, existing, input: updated(mutation, existing, item) };
  }
  const values = checked(mutation, item.created ?? item.values);
  return creation(mutation, { ...item, created: { ...item.keys, ...values } });
}

/** The values to write, after a check for values without a field in the model. */
function checked(mutation: CommonMutation, values: Values | undefined): Values {
  const { orm, model, action, isPartial, refuse } = mutation;
  if (values === undefined) throw refuse(`needs values to ${action}, and the call has none`);
  const unknown = unknownNested(orm, model, values);
  if (unknown !== undefined) throw refuse(unknown);
  const extra = Object.keys(values).find((name) => !hasField({ ...orm, model }, name));
  if (!isPartial || extra === undefined) return values;
  throw refuse(`changes a part of the ${model.typeName}, which has no "${extra}"`);
}

function updated(mutation: CommonMutation, ref: RecordRef, item: WriteItem): Values {
  const { orm, model, refuse } = mutation;
  const hasChanges = item.changes.length > 0;
  const input = hasChanges && item.values === undefined ? {} : checked(mutation, item.values);
  const record = findRecord(orm.mirageSchema, ref) ?? {};
  const changes = item.changes.flatMap(([operation, values]) =>
    Object.entries(values).map(([name, by]) => {
      if (!hasField({ ...orm, model }, name)) {
        throw refuse(`can't change "${name}": ${model.typeName} has no such field`);
      }
      return [name, valueChange(operation)?.(record[name], by)];
    })
  );
  return { ...input, ...Object.fromEntries(changes) };
}

/** The records that an item finds: all of them, or the only one. */
function refsOf(mutation: CommonMutation, item: WriteItem): RecordRef[] {
  const { model, action, orm, isBulk, refuse } = mutation;
  const tests = testsOf(mutation, item);
  const [unread] = action === "delete" ? givenNames(item.values) : [];
  if (unread !== undefined) throw refuse(`takes "${unread}", which no rule reads`);
  const isWhole = Object.keys(item.keys).length === 0 &&
    item.filters.every(({ where }) => Object.keys(where).length === 0);
  const isMany = isBulk && !item.isSingle;
  if (tests.length === 0 || isWhole && !isMany) {
    const all = isBulk ? `; an empty object finds all` : "";
    throw refuse(`needs the id of the ${model.typeName} to ${action}, and the call has none${all}`);
  }
  if (isMany) {
    return oneByOne(item).flatMap((one) => findRefs(orm, model, testsOf(mutation, one)));
  }
  const found = findRefs(orm, model, tests);
  if (found.length > 1) {
    throw refuse(`writes one ${model.typeName}, and the call finds ${found.length}`);
  }
  if (found.length === 1) return found;
  const state = noRecordState(orm, [model.typeName], item.keys.id);
  const message = `Cannot ${action} ${model.typeName} ${labelOf(model, item)}: ${state}`;
  throw writeError(message, { code: "NOT_FOUND" });
}

function givenNames(values: Values = {}): string[] {
  return Object.keys(values).filter((name) => values[name] !== undefined && values[name] !== null);
}

function testsOf({ orm, model }: CommonMutation, { keys, filters }: WriteItem): Matches[] {
  const byKeys = Object.keys(keys).length > 0 ? [matchKeys(orm, model, keys)] : [];
  return [...byKeys, ...filters.map((filter) => matchWhere(orm, model, filter))];
}

function labelOf({ key }: MockModel, { keys, filters }: WriteItem): string {
  const all: Values = Object.assign({}, keys, ...filters.map(({ where }) => where));
  const id = all.id ?? (key && all[key.name]);
  return id === undefined || isObject(id) ? JSON.stringify(all) : `"${id}"`;
}

/** Rejects a call whose condition the record doesn't match, before anything is written. */
function checkConditions(
  { orm, model, action }: CommonMutation,
  { conditions }: WriteItem,
  record: Readonly<MirageRecord> = {},
): void {
  for (const condition of conditions) {
    if (matchWhere(orm, model, condition)(record)) continue;
    const label = record.id === undefined ? model.typeName : `${model.typeName} "${record.id}"`;
    const state = `the condition ${JSON.stringify(condition.where)} of the call is not met`;
    throw writeError(`Cannot ${action} ${label}: ${state}`, { code: "CONDITIONAL_CHECK_FAILED" });
  }
}
