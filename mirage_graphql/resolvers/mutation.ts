import { getNullableType, type GraphQLField, isObjectType } from "graphql";
import { createRecord } from "../orm/create_record.ts";
import { deleteRecord } from "../orm/delete_record.ts";
import type { MirageRecord } from "../orm/mock_schema.ts";
import type { MockModel } from "../orm/model_map.ts";
import { updateRecord } from "../orm/update_record.ts";
import type { WriteContext } from "../orm/write_context.ts";
import { writeError } from "../orm/write_error.ts";
import { type MutationKind, mutationKind } from "./mutation_kind.ts";
import { type MutationTarget, mutationTarget, namedTarget } from "./mutation_target.ts";
import { noDefaultResolver } from "./no_default_resolver.ts";
import { type PayloadValues, payloadValues } from "./payload_values.ts";
import { writtenModel } from "./written_model.ts";

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

/** Performs one mutation with the arguments of one call. */
export type MutationResolver = (args: Readonly<Record<string, unknown>>) => MutationResult;

/** How a mutation is to be resolved. */
export interface MutationOptions {
  /**
   * Whether a custom resolver asks for it, which then answers for the return type: where that names
   * no model the field's name does (`deletePerson` deletes a `Person` and returns it), and arguments
   * that the custom resolver has taken out of `args` do not count.
   *
   * @default {false}
   */
  readonly isExplicit?: boolean;
}

/**
 * Plans a field of the mutation type by its arguments and its return type, once for all calls.
 * A mutation that no rule fits gets a resolver that says so, and changes nothing.
 */
export function createMutationResolver(
  field: GraphQLField<unknown, unknown>,
  context: WriteContext,
  options: MutationOptions = {},
): MutationResolver {
  const { isExplicit = false } = options;
  const planned = planMutation(field, field.args, { context, isExplicit });
  if (!(planned instanceof Error)) return planned;
  return (args) => {
    const given = field.args.filter(({ name }) => Object.hasOwn(args, name));
    const again = isExplicit ? planMutation(field, given, { context, isExplicit }) : planned;
    if (again instanceof Error) throw again;
    return again(args);
  };
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

function planMutation(
  field: GraphQLField<unknown, unknown>,
  args: GraphQLField<unknown, unknown>["args"],
  { context, isExplicit }: { readonly context: WriteContext; readonly isExplicit: boolean },
): MutationResolver | Error {
  const kind = mutationKind(args);
  if (kind === undefined) {
    const list = args.map(({ name, type }) => `${name}: ${type}`).join(", ");
    const reason =
      `takes ${
        list === "" ? "no arguments" : `(${list})`
      }, where one input object creates, one ID and one ` +
      "input object update, and one ID deletes";
    return noDefaultResolver(field, context, { reason });
  }
  const target = mutationTarget(field, kind, context);
  if (!("reason" in target)) return planTarget(field, { kind, target, context });

  const named = namedTarget(field, context);
  if (isExplicit && named) return planTarget(field, { kind, target: named, context });
  const { reason } = target;
  const hint = named && `in which mockGraphQLFieldResolver(obj, args, context, info) will ` +
      `${kind.action} the ${named.models[0]?.typeName} and return it`;
  return noDefaultResolver(field, context, { reason, hint });
}

interface MutationPlan {
  readonly kind: MutationKind;
  readonly target: MutationTarget;
  readonly context: WriteContext;
}

function planTarget(
  field: GraphQLField<unknown, unknown>,
  plan: MutationPlan,
): MutationResolver {
  const { payload } = plan.target;
  const type = getNullableType(field.type);
  return (args) => {
    const { clientMutationId, ...input } = readInput(plan, args);
    const result = perform(plan, args, input);
    if (payload === undefined || !isObjectType(type)) return result;
    const deletedId = plan.kind.action === "delete" ? result.record.id : undefined;
    const facts = { model: result.model, clientMutationId, deletedId };
    return { ...result, payload: payloadValues(type, payload, facts) };
  };
}

function perform(
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
