import type { GraphQLField } from "graphql";
import type { ResolverCall } from "../arguments/call.ts";
import type { WriteAction } from "../dialects/dialect.ts";
import { hasField, type MockModel } from "../orm/models/model_map.ts";
import { responseIdOf } from "../orm/records/record_ids.ts";
import type { NestedConventions } from "../orm/writes/nested_conventions.ts";
import { findRecord, type RecordRef } from "../orm/writes/record_ref.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import { deleteRecords, type RecordWrite, writeRecords } from "../orm/writes/write_records.ts";
import { encodeCursor } from "../relay/cursor.ts";
import type { FollowedRule } from "../shared/followed_rule.ts";
import { UnresolvedField } from "../shared/unresolved_field.ts";
import { isObject } from "../shared/values.ts";
import { createMutationNames, type MutationNames } from "./mutation_name.ts";
import { unknownNested } from "./mutation_input.ts";
import { type TypedField, type TypedIntent, typedIntent } from "./typed_intent.ts";
import {
  type Answer,
  type FoundRecord,
  type RecordResult,
  type Refusal,
  UnreadArgument,
  type Values,
  type WriteIntent,
  type WriteItem,
  type Written,
} from "./write_intent.ts";

type Field = GraphQLField<unknown, unknown>;

/** Performs one mutation with the arguments of one call. */
export type MutationResolver = (args: Values, call?: ResolverCall) => MutationResult;

/** The rules of the mutations of one handler. */
export interface WriteRules {
  /** What inputs may contain in addition to ids, plain values and nested objects. */
  readonly nested: NestedConventions;
  /** Reads the names of mutations. */
  readonly names: MutationNames;
  /** Determines what a mutation does; `typed` is what its types alone say. */
  interpret(field: TypedField, typed: TypedIntent | Refusal): WriteIntent | Refusal;
  /** The line of a dialect that says what a mutation does; `undefined` if none does. */
  followed(field: TypedField): FollowedRule | undefined;
}

/** How a mutation is resolved. */
export interface MutationOptions {
  /**
   * Whether a user-defined resolver calls it, which is then responsible for the return type: if
   * that leads to no model, the field's name does (`deletePerson` deletes a `Person` and returns
   * it), and arguments that the resolver has deleted from `args` don't count.
   *
   * @default {false}
   */
  readonly isExplicit?: boolean;
  /**
   * Name of the type that has the field, for errors.
   *
   * @default {"Mutation"}
   */
  readonly parentName?: string;
  /** The rules of dialects; none by default. */
  readonly rules?: WriteRules | undefined;
}

/**
 * Plans a field of the mutation type by the rules of dialects, or else by its name, its arguments
 * and its return type, at the first call, because large schemas have hundreds of mutations. A
 * mutation that matches no rule gets a resolver that throws, and changes nothing.
 */
export function createMutationResolver(
  field: Field,
  context: WriteContext,
  options: MutationOptions = {},
): MutationResolver {
  const { isExplicit = false, parentName = "Mutation", rules } = options;
  const names = rules?.names ?? createMutationNames(context.models.models);
  const throwing = ({ reason, hint, rule }: Refusal) => {
    const others = rules
      ? ", which none of the conventions that are on explains"
      : `, where ${rule}`;
    const whole = rule === undefined ? reason : `${reason}${others}`;
    return noDefaultResolver(parentName, field.name, { reason: whole, hint });
  };
  let perform: MutationResolver | undefined;
  return (args, call) => {
    perform ??= plan();
    return perform(args, call);
  };

  /** What a mutation without a resolver does comes first, so that a resolver can build on it. */
  function plan(): MutationResolver {
    const own = intentOf(false);
    const intent = "reason" in own && isExplicit ? intentOf(true) : own;
    if (!("reason" in intent)) return (args, call) => performIntent(intent, args, call);
    return (args, call) => {
      if (!isExplicit) throw throwing(intent);
      const given = field.args.filter(({ name }) => Object.hasOwn(args, name));
      const called = typedIntent(context, subjectOf(true), given);
      if ("reason" in called) throw throwing(called);
      return performIntent(called, args, call);
    };
  }

  function performIntent(
    intent: WriteIntent,
    args: Values,
    call: ResolverCall | undefined,
  ): MutationResult {
    const other = intent.instead?.(args, call);
    if (other === undefined) return performMutation(context, intent, args, call);
    if ("reason" in other) throw throwing(other);
    return performMutation(context, other, args, call);
  }

  function intentOf(isCalled: boolean): WriteIntent | Refusal {
    const subject = subjectOf(isCalled);
    const typed = typedIntent(context, subject);
    return rules === undefined ? typed : rules.interpret(subject, typed);
  }

  function subjectOf(isCalled: boolean): TypedField {
    const verb = names.verb(field.name);
    return {
      ...{ field, names, parentName, isExplicit: isCalled },
      // closing a record updates it, if a user-defined resolver calls for it
      verb: verb === "close" && isCalled ? "update" as const : verb,
      refuse: (reason: string) => throwing({ reason }),
    };
  }
}

/** Explains why a mutation is not resolved by default, and which function to write. */
function noDefaultResolver(parentName: string, name: string, { reason, hint }: Refusal): Error {
  const code = `resolvers: { ${parentName}: { ${name}(obj, args, context, info) { ... } } }`;
  return new UnresolvedField(
    // begins with the peer's words
    `Could not find a default resolver for ${name}. ` +
      `Please supply a resolver for this mutation. It ${reason}. ` +
      `Write ${code}${hint === undefined ? "" : `, ${hint}`}`,
    `${parentName}.${name}`,
  );
}

/** What a mutation wrote, and how that becomes its value. */
export interface MutationResult {
  readonly action: WriteAction;
  readonly records: readonly RecordResult[];
  /** The id of one of them in the form of responses. */
  readonly idOf: (result: RecordResult) => string;
  /** How many records were written, including nested ones. */
  readonly count: number;
  /** The arguments of the call. */
  readonly args: Values;
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
  result: MutationResult,
  toValue: (result: RecordResult) => unknown,
  readRelated: (value: unknown, name: string, model: MockModel) => unknown = () => undefined,
): unknown {
  const { records, answer, other } = result;
  const values = records.map(toValue);
  const [first] = records;
  const related = (name: string) => first && readRelated(values[0], name, first.model);
  const otherValue = (typeName: string) => {
    const found = other(typeName);
    return found && toValue(found);
  };
  return answer(new WrittenValues(result, values, related, otherValue));
}

/** Computes what few answers have on demand. A class: V8 is slow to create an object with getters. */
class WrittenValues implements Written {
  readonly action: WriteAction;
  readonly count: number;
  readonly #result: MutationResult;

  constructor(
    result: MutationResult,
    readonly values: readonly unknown[],
    readonly related: Written["related"],
    readonly other: Written["other"],
  ) {
    this.action = result.action;
    this.count = result.count;
    this.#result = result;
  }

  get clientMutationId(): unknown {
    const { args } = this.#result;
    const inputs = [args, ...Object.values(args).filter(isObject)];
    return inputs.find((input) => input.clientMutationId !== undefined)?.clientMutationId;
  }

  get ids(): readonly string[] {
    return this.#result.records.map(this.#result.idOf);
  }

  get cursor(): string | undefined {
    const [first] = this.#result.records;
    return first && encodeCursor(first.model.typeName, String(first.record.id));
  }
}

/** Performs a mutation with the arguments of one call, as a whole or not at all. */
function performMutation(
  context: WriteContext,
  intent: WriteIntent,
  args: Values,
  call?: ResolverCall,
): MutationResult {
  const { action, answer } = intent;
  try {
    const { records, count } = write(context, intent, intent.read(args, call));
    const idOf = ({ model, record }: RecordResult) => String(responseIdOf(context, model, record));
    const other = (typeName: string) => intent.other?.(typeName, { args, call, first: records[0] });
    return { action, records, idOf, count, args, answer, other };
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
  if (item.conditions.length > 0) intent.check?.(item, {});
  const conflict = item.conflict && intent.conflict?.(item, input);
  const { existing, input: resolved } = conflict ?? { existing: undefined, input };
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
  const write = {
    ...{ modelName: ref.modelName, existing: ref, after: afterOf(intent, item) },
    removed: intent.removed?.(item),
  };
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
  if (!isPartial) return values;
  const extra = Object.keys(values).find((name) => !hasField(context.graphQLSchema, model, name));
  if (extra === undefined) return values;
  throw refuse(`changes a part of the ${model.typeName}, which has no "${extra}"`);
}
