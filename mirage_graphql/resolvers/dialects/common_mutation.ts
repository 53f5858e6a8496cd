import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  isInputObjectType,
  isObjectType,
} from "graphql";
import { isObject, type MirageRecord } from "../../orm/mirage.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import { toResponseId } from "../../orm/record_ids.ts";
import type { RecordRef } from "../../orm/writes/record_ref.ts";
import { findRecord } from "../../orm/writes/tables.ts";
import { type WriteContext, writeError } from "../../orm/writes/write_context.ts";
import { createRecords, deleteRecords, updateRecords } from "../../orm/writes/write_records.ts";
import { isList } from "../../schema/type_shapes.ts";
import type { Answer, CommonField, CommonResult } from "../convention_rules.ts";
import { noCreation } from "../mutation_input.ts";
import { mentionedModels, type MutationVerb, namesNothing, onlyModel } from "../mutation_name.ts";
import { unknownNested } from "../nested_input.ts";
import { matchingRecords } from "./matching_records.ts";
import {
  type ArgumentReader,
  createArgumentReader,
  UnreadArgument,
  type Values,
  type WriteItem,
} from "./write_arguments.ts";
import { createAnswer, isWrittenCount } from "./write_answer.ts";

type Field = GraphQLField<unknown, unknown>;

/** A mutation in the style of a widespread API. */
interface CommonMutation {
  readonly model: MockModel;
  readonly action: "create" | "update" | "delete";
  readonly reader: ArgumentReader;
  readonly answer: Answer;
  /** Whether it writes all records that it finds, rather than one. */
  readonly isBulk: boolean;
  readonly context: WriteContext;
  /** Refuses a call; `reason` completes "it ...". */
  readonly refuse: (reason: string) => Error;
}

/**
 * Recognizes a mutation in the style of widespread APIs: flat arguments, `where` and `data`, lists,
 * Hasura's `pk_columns`, `_set` and `objects`, and results that only report what was done.
 * `undefined` if its name and its types don't say which records of which type it writes.
 */
export function createCommonMutation(
  planned: CommonField,
): ((args: Values) => CommonResult) | undefined {
  const mutation = planCommonMutation(planned);
  return mutation && ((args) => performCommonMutation(mutation, args));
}

function planCommonMutation(
  { field, context, verb, refuse }: CommonField,
): CommonMutation | undefined {
  const model = writtenModel(field, context, verb);
  const answer = model && createAnswer(field.type, model);
  if (model === undefined || answer === undefined || verb === "close") return undefined;
  const isCreated = verb === "create";
  if (isCreated && (isOfExisting(field, context, model) || !answer.reports)) return undefined;
  const { graphQLSchema } = context;
  const subject = { graphQLSchema, model, isFound: !isCreated };
  const reader = createArgumentReader(subject, field.args);
  const action = verb ?? (reader.hasWhere ? "update" : "create");
  if (action === "create" ? !reader.hasValues : !reader.hasWhere) return undefined;
  if (action === "update" && !reader.hasValues) return undefined;
  return {
    model,
    action,
    reader,
    answer: answer.toValue,
    context,
    isBulk: isBulk(field, model),
    refuse,
  };
}

/**
 * The model that the name is about. What takes more than one input object may also be about the
 * only model that it returns, if the name contains no other.
 */
function writtenModel(
  field: Field,
  { models }: WriteContext,
  verb: MutationVerb | undefined,
): MockModel | undefined {
  const named = onlyModel(field.name, models.models);
  const isOneInput = isOneInputOf(field);
  if (isOneInput && verb === undefined) return undefined;
  if (named !== undefined) return named;
  if ((isOneInput || verb === "delete") && !namesNothing(field.name)) return undefined;
  const returned = returnedModel(field, models);
  const mentioned = mentionedModels(field.name, models.models);
  const isOther = returned !== undefined && mentioned.length > 0 && !mentioned.includes(returned);
  return isOther ? undefined : returned;
}

function isOneInputOf({ args }: Field): boolean {
  const [only, ...others] = args;
  return others.length === 0 && only !== undefined && isInputObjectType(getNullableType(only.type));
}

function returnedModel(field: Field, models: WriteContext["models"]): MockModel | undefined {
  const type = getNamedType(field.type);
  const own = models.ofType(type.name);
  if (own !== undefined || !isObjectType(type)) return own;
  const held = Object.values(type.getFields()).flatMap((held) =>
    models.ofType(getNamedType(held.type).name) ?? []
  );
  const [only, ...others] = new Set(held);
  return others.length === 0 ? only : undefined;
}

/** Whether the only input of a creation is about a record that exists. */
function isOfExisting(field: Field, { graphQLSchema }: WriteContext, model: MockModel): boolean {
  const [argument] = field.args;
  const type = argument && getNullableType(argument.type);
  if (argument === undefined || !isOneInputOf(field) || !isInputObjectType(type)) return false;
  return noCreation({ path: [argument.name], type, model, graphQLSchema }, true) !== undefined;
}

function isBulk({ type }: Field, { typeName }: MockModel): boolean {
  const named = getNamedType(type);
  if (isList(type) || String(getNullableType(type)) === "Int") return true;
  if (!isObjectType(named) || named.name === typeName) return false;
  const fields = Object.values(named.getFields());
  return fields.some(({ type }) => getNamedType(type).name === typeName && isList(type)) ||
    fields.some(isWrittenCount);
}

/** Performs a mutation with the arguments of one call, as a whole or not at all. */
function performCommonMutation(mutation: CommonMutation, args: Values): CommonResult {
  const { model, action, answer } = mutation;
  const records = write(mutation, args);
  const inputs = [args, ...Object.values(args).filter(isObject)];
  const clientMutationId = inputs.find((input) => input.clientMutationId)?.clientMutationId;
  const ids = records.map(({ id }) => String(toResponseId(mutation.context, model, id)));
  return { model, records, ids, clientMutationId, isDeletion: action === "delete", answer };
}

function write(mutation: CommonMutation, args: Values): MirageRecord[] {
  const { model, action, context, reader, refuse } = mutation;
  try {
    const items = reader.read(args);
    if (action === "create") {
      return createRecords(context, model, items.map((item) => checked(mutation, item)));
    }
    const found = items.flatMap((item) => refsOf(mutation, item).map((ref) => ({ ref, item })));
    if (action === "delete") return deleteRecords(context, found.map(({ ref }) => ref));
    return updateRecords(
      context,
      found.map(({ ref, item }) => ({
        ref,
        input: { ...checked(mutation, item), ...increased(context, ref, item) },
      })),
    );
  } catch (error) {
    throw error instanceof UnreadArgument ? refuse(error.message) : error;
  }
}

/** The values to write, after a check of what they nest. */
function checked({ context, model, action, refuse }: CommonMutation, item: WriteItem): Values {
  if (item.values === undefined && item.increments === undefined) {
    throw refuse(`needs values to ${action}, and the call has none`);
  }
  const unknown = unknownNested(context, model, item.values ?? {});
  if (unknown !== undefined) throw refuse(unknown);
  return item.values ?? {};
}

/** The records that an item finds: all of them, or the only one. */
function refsOf(mutation: CommonMutation, { where }: WriteItem): RecordRef[] {
  const { model, action, context, isBulk, refuse } = mutation;
  const isEmpty = where === undefined || (!isBulk && Object.keys(where).length === 0);
  if (isEmpty) {
    throw refuse(`needs the id of the ${model.typeName} to ${action}, and the call has none`);
  }
  const found = matchingRecords(context, model, where);
  if (isBulk) return found;
  const [only, ...others] = found;
  if (only === undefined) {
    const name = "id" in where ? String(where.id) : JSON.stringify(where);
    const message = `Cannot ${action} ${model.typeName} "${name}": there is no record with this id`;
    throw writeError(message, { code: "NOT_FOUND" });
  }
  if (others.length > 0) {
    throw refuse(`writes one ${model.typeName}, and the call finds ${found.length}`);
  }
  return [only];
}

function increased(
  { mirageSchema }: WriteContext,
  ref: RecordRef,
  { increments = {} }: WriteItem,
): Values {
  const record = findRecord(mirageSchema, ref) ?? {};
  return Object.fromEntries(
    Object.entries(increments).map(([name, by]) => [name, Number(record[name] ?? 0) + Number(by)]),
  );
}
