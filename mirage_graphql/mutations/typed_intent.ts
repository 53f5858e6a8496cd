import type { GraphQLField } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import { hasRecord, storedId } from "../orm/writes/record_ref.ts";
import { type WriteContext, writeError } from "../orm/writes/write_context.ts";
import {
  type ArgumentPath,
  identifiedPaths,
  type InputPaths,
  type InputSubject,
  noCreation,
  valuesIn,
  valuesPath,
} from "./mutation_input.ts";
import { type MutationKind, mutationKind } from "./mutation_kind.ts";
import type { MutationNames, MutationVerb } from "./mutation_name.ts";
import { type MutationTarget, mutationTarget, namedTarget } from "./mutation_target.ts";
import { payloadAnswer } from "./payload_values.ts";
import {
  type FoundRecord,
  NO_ITEM,
  notFound,
  type Refusal,
  type Values,
  type WriteIntent,
} from "./write_intent.ts";
import { isObject } from "../shared/values.ts";

type Field = GraphQLField<unknown, unknown>;

/** What the types of a mutation say: one record, by its id, and one object of values. */
export interface TypedIntent extends WriteIntent {
  readonly action: "create" | "update" | "delete";
  /** Where the id of the record is in the arguments; not for a creation. */
  readonly id: ArgumentPath | undefined;
  /** Whether its type is that of a payload, which has the record and more. */
  readonly hasPayload: boolean;
}

/** A mutation whose types are read. */
export interface TypedField {
  readonly field: Field;
  readonly names: MutationNames;
  /** Name of the type that has the field. */
  readonly parentName: string;
  readonly verb: MutationVerb | undefined;
  /** Whether a user-defined resolver calls it. */
  readonly isExplicit: boolean;
  readonly refuse: (reason: string) => Error;
}

/** Determines what a mutation does by its arguments, its return type and the models in its name. */
export function typedIntent(
  context: WriteContext,
  typed: TypedField,
  args: Field["args"] = typed.field.args,
): TypedIntent | Refusal {
  const { field, names, verb, isExplicit } = typed;
  const kind = mutationKind(args, verb);
  if ("reason" in kind) return kind;
  const target = mutationTarget(field, kind, context, names);
  if (!("reason" in target)) return intentOf(context, typed, kind, target);

  const named = namedTarget(field, context, names);
  if (isExplicit && named) return intentOf(context, typed, kind, named);
  const hint = named && `in which mockGraphQLFieldResolver(obj, args, context, info) will ` +
      `${kind.action} the ${named.models[0]?.typeName} and return it`;
  return { reason: target.reason, hint };
}

function intentOf(
  context: WriteContext,
  typed: TypedField,
  kind: MutationKind,
  target: MutationTarget,
): TypedIntent | Refusal {
  const places = placesOf(context, typed, kind, target);
  if ("reason" in places) return places;
  const { id, models } = places;
  const intent: TypedIntent = {
    action: kind.action,
    models,
    id,
    isPartial: false,
    hasPayload: target.payload !== undefined,
    answer: target.payload === undefined
      ? ({ values }) => values[0]
      : payloadAnswer(target.payload, models[0]!),
    read: (args) => [{
      ...NO_ITEM,
      values: readValues(intent, places, args),
      keys: kind.action === "create" ? {} : { id: readId(intent, args) },
    }],
    find: ({ keys }) => [findById(context, intent, String(keys.id))],
    refuse: typed.refuse,
  };
  return intent;
}

/** Where the id and the values are, and whose record the id identifies. */
interface Places extends Partial<Pick<InputPaths, "id" | "values">> {
  readonly models: readonly MockModel[];
}

function placesOf(
  context: WriteContext,
  { field, verb, names: { mentioned } }: TypedField,
  { action, idName, input }: MutationKind,
  target: MutationTarget,
): Places | Refusal {
  const { models } = target;
  const { graphQLSchema } = context;
  const places = { models, id: idName === undefined ? undefined : [idName] as const };
  const subjects = input === undefined ? [] : models.map((model): InputSubject => {
    return { path: [input.name], type: input.type, model, graphQLSchema };
  });
  const [subject] = subjects;
  if (subject === undefined) return places;
  if (action === "create") {
    const reason = noCreation(subject, verb === "create");
    return reason === undefined ? { ...places, values: valuesPath(subject) } : { reason };
  }
  if (idName !== undefined) {
    return action === "delete" ? places : { ...places, values: valuesPath(subject) };
  }
  const found = subjects.map(({ model }, index) => ({
    model,
    ...identifiedPaths(subjects[index]!),
  }))
    .find(({ id }) => id !== undefined);
  const names = namesOf(models);
  if (found === undefined) {
    return { reason: `needs the id of the ${names} to ${action}, and ${input?.type} has none` };
  }
  const { id, values, extras: [extra] } = found;
  const identified = { id, models: id?.at(-1) === "id" ? models : [found.model] };
  if (action === "delete") return identified;
  // `updatePostSetting(input: { postId: 1, value: true })` changes more than it names.
  const isPartial = !target.isNamed &&
    mentioned(field.name).length > 0;
  if (!isPartial || extra === undefined) return { ...identified, values };
  return { reason: `changes a part of the ${names}, which has no "${extra}"` };
}

/** The values to write, without the id by which the record is found. */
function readValues(intent: TypedIntent, { id, values: path }: Places, args: Values): Values {
  if (path === undefined) return {};
  const found = read(args, path);
  if (!isObject(found)) throw noArgument(intent, path);
  const values = valuesIn(found);
  if (id === undefined) return values;
  const [key, ...outside] = [...id].reverse();
  const isInside = outside.length > 0 && outside.reverse().join() === path.join();
  if (isInside && key !== undefined) delete values[key];
  return values;
}

function readId(intent: TypedIntent, args: Values): string {
  const { action, models, refuse, id: path = ["id"] } = intent;
  const id = read(args, path);
  if (id !== undefined && id !== null) return String(id);
  if (path.length === 1) throw noArgument(intent, path);
  const state = `${labelOf(path)} is null or missing`;
  throw refuse(`needs the id of the ${namesOf(models)} to ${action}, and ${state}`);
}

/** The value at a path in the arguments. */
export function read(args: Values, path: ArgumentPath): unknown {
  return path.reduce<unknown>((value, name) => isObject(value) ? value[name] : undefined, args);
}

function noArgument({ action, models }: TypedIntent, path: ArgumentPath): Error {
  return writeError(`Cannot ${action} a ${namesOf(models)}: ${labelOf(path)} is null or missing`);
}

function namesOf(models: readonly MockModel[]): string {
  return models.map(({ typeName }) => typeName).join(" or ");
}

function labelOf([argument, ...names]: ArgumentPath): string {
  if (names.length === 0) return `the argument "${argument}"`;
  return `"${names.join(".")}" of the argument "${argument}"`;
}

/**
 * Finds which of several models has the record with an id.
 *
 * @throws {GraphQLError} With `extensions.code: "NOT_FOUND"` if none has; if two have, the message
 * names both, because each model counts its own ids.
 */
function findById(context: WriteContext, intent: TypedIntent, id: string): FoundRecord {
  const { action, models } = intent;
  const [found, other] = models
    .map((model) => {
      const { modelName } = model;
      return { model, ref: { modelName, id: storedId(context, modelName, id) } };
    })
    .filter(({ ref }) => hasRecord(context.mirageSchema, ref));
  if (found === undefined) throw notFound(context, intent, `"${id}"`, id);
  if (other === undefined) return found;
  throw writeError(
    `Cannot ${action} "${id}": ${found.model.typeName} and ${other.model.typeName} both have a ` +
      "record with this id, and the mutation does not say which one",
  );
}
