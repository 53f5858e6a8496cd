import { createRecord } from "../orm/create_record.ts";
import { deleteRecord } from "../orm/delete_record.ts";
import { updateRecord } from "../orm/update_record.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import { writeError } from "../orm/write_error.ts";
import type { MutationKind } from "./mutation_kind.ts";
import type { MutationResult, RecordResult } from "./mutation_result.ts";
import type { MutationTarget } from "./mutation_target.ts";
import { payloadValues } from "./payload_values.ts";
import { writtenModel } from "./written_model.ts";

/** What a field of the mutation type does, and to which records. */
export interface MutationPlan {
  readonly kind: MutationKind;
  readonly target: MutationTarget;
  readonly context: WriteContext;
}

/** Does what a mutation's plan says, with the arguments of one call. */
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
