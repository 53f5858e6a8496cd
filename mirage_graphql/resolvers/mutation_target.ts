import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLOutputType,
  isCompositeType,
  isInputObjectType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import { nameKey } from "../orm/models/model_names.ts";
import type { WriteContext } from "../orm/writes/write_context.ts";
import {
  isIdType,
  isList,
  type PayloadField,
  payloadField,
  possibleTypes,
} from "../schema/type_shapes.ts";
import type { Payload } from "./payload_values.ts";

/** What a mutation does, and the names of the arguments that it takes. */
export type MutationKind =
  | { readonly action: "create"; readonly input: InputArgument }
  | { readonly action: "update"; readonly idName: string; readonly input: InputArgument }
  | { readonly action: "delete"; readonly idName: string };

/** An argument that takes an input object. */
export interface InputArgument {
  readonly name: string;
  readonly type: GraphQLInputObjectType;
}

/**
 * Recognizes a mutation by its arguments in the schema, whatever their names: one input object
 * creates, one `ID` and one input object update, one `ID` deletes; `undefined` otherwise.
 */
export function mutationKind(args: readonly GraphQLArgument[]): MutationKind | undefined {
  const inputs = args.flatMap(toInputArgument);
  const ids = args.filter(({ type }) => isIdType(type));
  if (inputs.length + ids.length !== args.length || inputs.length > 1 || ids.length > 1) {
    return undefined;
  }
  const [[input], idName] = [inputs, ids[0]?.name];
  if (idName === undefined) return input && { action: "create", input };
  return input ? { action: "update", idName, input } : { action: "delete", idName };
}

function toInputArgument({ name, type }: GraphQLArgument): InputArgument[] {
  const nullable = getNullableType(type);
  return isInputObjectType(nullable) ? [{ name, type: nullable }] : [];
}

/** The models whose records a mutation can write, and the payload that carries them. */
export interface MutationTarget {
  /** One or more; exactly one for a creation. */
  readonly models: readonly MockModel[];
  readonly payload: Payload | undefined;
}

/** Why a mutation has no target; completes "it ...". */
export interface NoTarget {
  readonly reason: string;
}

/** Determines what a mutation writes by its return type. */
export function mutationTarget(
  field: GraphQLField<unknown, unknown>,
  kind: MutationKind,
  context: WriteContext,
): MutationTarget | NoTarget {
  const type = getNullableType(field.type);
  if (isList(field.type)) return { reason: `returns a list, ${field.type}` };
  if (!isCompositeType(type)) return { reason: `returns ${type}, which is not an object type` };

  const shape = payloadOf(type, context);
  const members = possibleTypes(context.graphQLSchema, shape?.type ?? type)
    .flatMap(({ name }) => context.models.ofType(name) ?? []);
  if (members.length === 0) {
    return { reason: `returns ${type}, which has no model and no single field of a model's type` };
  }
  const models = narrowModels(members, { field, kind, context });
  if (kind.action === "create" && models.length > 1) {
    const names = members.map(({ typeName }) => typeName).join(", ");
    return { reason: `returns ${type}, and nothing says which of ${names} to create` };
  }
  const payload = shape && isObjectType(type)
    ? { payloadType: type, fieldName: shape.fieldName }
    : undefined;
  return { models, payload };
}

/** Determines what a mutation writes by its name, if the return type leads to no model. */
export function namedTarget(
  field: GraphQLField<unknown, unknown>,
  context: WriteContext,
): MutationTarget | undefined {
  const returned = context.models.ofType(getNamedType(field.type).name);
  const model = returned ?? namedModel(field.name, context.models.models);
  return model && { models: [model], payload: undefined };
}

function payloadOf(
  type: GraphQLOutputType,
  { models }: WriteContext,
): PayloadField | undefined {
  if (!isObjectType(type) || models.ofType(type.name) !== undefined) return undefined;
  return payloadField(type, ({ name }) => models.ofType(name) !== undefined);
}

/**
 * Chooses among an abstract type's members: the one that is named, or those that the input fits.
 */
function narrowModels(
  members: readonly MockModel[],
  mutation: {
    readonly field: GraphQLField<unknown, unknown>;
    readonly kind: MutationKind;
    readonly context: WriteContext;
  },
): readonly MockModel[] {
  const { field, kind, context } = mutation;
  if (members.length === 1) return members;
  const input = kind.action === "delete" ? undefined : kind.input.type;
  const named = (input && namedModel(input.name, members)) ?? namedModel(field.name, members);
  if (named !== undefined) return [named];
  const fitting = members.filter((model) => input && fits(input, model, context));
  return fitting.length > 0 ? fitting : members;
}

function fits(input: GraphQLInputObjectType, model: MockModel, context: WriteContext): boolean {
  const type = context.graphQLSchema.getType(model.typeName);
  const names = new Set(isObjectType(type) ? Object.keys(type.getFields()) : []);
  for (const { name, foreignKey } of model.relations.values()) names.add(name).add(foreignKey);
  return Object.keys(input.getFields())
    .every((name) => name === "clientMutationId" || names.has(name));
}

const WORDS = [
  "create|add|new|insert|make|register",
  "update|edit|change|modify|patch|set",
  "delete|remove|destroy",
  "one|an|a|the|by|id|pk",
  "input|data|attributes|attrs|fields|values|params|type",
].join("|");

/**
 * The model that a name contains by convention: `deletePerson`, `remove_people`, `personDelete` and
 * `UpdatePersonInput` all contain `Person`; `undefined` if there is none.
 */
export function namedModel(name: string, models: readonly MockModel[]): MockModel | undefined {
  const key = nameKey(name);
  const matches = models.flatMap((model) =>
    [nameKey(model.typeName), nameKey(model.collectionName)]
      .filter((modelKey) => isNamed(key, modelKey))
      .map((modelKey) => ({ model, length: modelKey.length }))
  );
  // The longest name wins: `createNewPost` creates a `NewPost` if there is such a model.
  const [best] = matches.sort((one, other) => other.length - one.length);
  return best?.model;
}

function isNamed(key: string, modelKey: string): boolean {
  return new RegExp(`^(?:${WORDS})*${modelKey}(?:${WORDS})*$`).test(key);
}
