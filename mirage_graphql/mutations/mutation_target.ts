import { keyOf, wordsOf } from "../shared/names.ts";
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";

import type { WriteContext } from "../orm/writes/write_context.ts";
import { isList, payloadField, possibleTypes } from "../schema/types.ts";
import type { MutationKind } from "./mutation_kind.ts";
import type { MutationNames } from "./mutation_name.ts";
import { isDeletedId, type Payload } from "./payload_values.ts";

/** The models whose records a mutation can write, and the payload that contains them. */
export interface MutationTarget {
  /** One or more; exactly one for a creation. */
  readonly models: readonly MockModel[];
  readonly payload: Payload | undefined;
  /** Whether the mutation's name contains the model, or only a verb. */
  readonly isNamed: boolean;
}

/** Why a mutation has no target; completes "it ...". */
export interface NoTarget {
  readonly reason: string;
}

type Field = GraphQLField<unknown, unknown>;

/** Determines what a mutation writes: the target on which its name and its return type agree. */
export function mutationTarget(
  field: Field,
  kind: MutationKind,
  context: WriteContext,
  names: MutationNames,
): MutationTarget | NoTarget {
  const type = getNullableType(field.type);
  if (isList(field.type)) return { reason: `returns a list, ${field.type}` };
  if (!isCompositeType(type)) return { reason: `returns ${type}, which is not an object type` };

  const named = names.model(field.name);
  const isPayload = isObjectType(type) && context.models.ofType(type.name) === undefined;
  if (isPayload) return payloadTarget(field, { type, kind, context, names, named });
  const members = possibleTypes(context.graphQLSchema, type)
    .flatMap(({ name }) => context.models.ofType(name) ?? []);
  if (members.length === 0) return noModel(type);
  if (named !== undefined && !members.includes(named)) return otherModel(type, named);
  const models = narrowModels(members, { field, kind, context, names });
  if (kind.action === "create" && models.length > 1) {
    const names = members.map(({ typeName }) => typeName).join(", ");
    return { reason: `returns ${type}, and nothing says which of ${names} to create` };
  }
  return checkNamed(field, kind, names, {
    models,
    payload: undefined,
    isNamed: named !== undefined || names.isOnlyVerb(field.name),
  });
}

/** Determines what a mutation writes by its name alone, or else by the type that it returns. */
export function namedTarget(
  field: Field,
  context: WriteContext,
  names: MutationNames,
): MutationTarget | undefined {
  const named = names.model(field.name);
  const model = named ?? context.models.ofType(getNamedType(field.type).name);
  return model && { models: [model], payload: undefined, isNamed: true };
}

interface Returned {
  readonly type: GraphQLObjectType;
  readonly kind: MutationKind;
  readonly context: WriteContext;
  readonly names: MutationNames;
  readonly named: MockModel | undefined;
}

/** The model in the name takes precedence over those of the payload. */
function payloadTarget(field: Field, returned: Returned): MutationTarget | NoTarget {
  const { type, kind, context, names, named } = returned;
  if (named !== undefined) return namedPayload(returned, named);
  const hasModel = ({ name }: GraphQLObjectType) => context.models.ofType(name) !== undefined;
  const shape = payloadField(type, hasModel);
  const model = shape && context.models.ofType(shape.type.name);
  if (shape === undefined || model === undefined) return noModel(type);
  const payload = { payloadType: type, fieldName: shape.fieldName };
  return checkNamed(field, kind, names, {
    models: [model],
    payload,
    isNamed: names.isOnlyVerb(field.name),
  });
}

/**
 * The payload of a named model's record, with a field for it. A deletion doesn't need one, as in
 * Relay: `DeleteIssuePayload { clientMutationId repository }`.
 */
function namedPayload(
  { type, kind, context }: Returned,
  named: MockModel,
): MutationTarget | NoTarget {
  const fields = Object.values(type.getFields());
  const exact = fields.filter((field) => getNamedType(field.type).name === named.typeName);
  const holders = exact.length > 0
    ? exact
    : fields.filter(({ type }) => holds(type, named, context));
  const single = holders.filter((field) => !isList(field.type));
  const own = single.length === 1
    ? single[0]
    : single.find(({ name }) => keyOf(name) === keyOf(named.typeName));
  const isRelay = kind.action === "delete" && isRelayPayload(type, context, named);
  if (own === undefined && (holders.length > 0 || !isRelay)) {
    return noModel(type);
  }
  const payload = { payloadType: type, fieldName: own?.name };
  return { models: [named], payload, isNamed: true };
}

/** Whether a type is abstract and has the model's type as a member. */
function holds(type: GraphQLOutputType, { typeName }: MockModel, context: WriteContext): boolean {
  const named = getNamedType(type);
  return isAbstractType(named) &&
    possibleTypes(context.graphQLSchema, named).some(({ name }) => name === typeName);
}

/** Whether a payload without the record has a value for each non-null field. */
function isRelayPayload(
  type: GraphQLObjectType,
  { models }: WriteContext,
  model: MockModel,
): boolean {
  const fields = Object.values(type.getFields());
  const isFilled = (field: typeof fields[number]) =>
    isDeletedId(field, model) || model.relations.has(field.name);
  const required = fields.filter(({ type }) => isNonNullType(type) && !isList(type));
  const isRelated = fields.some((field) => {
    const named = getNamedType(field.type);
    return models.ofType(named.name) !== undefined || isDeletedId(field, model);
  });
  return required.every(isFilled) && (isRelated || type.getFields().clientMutationId !== undefined);
}

/**
 * Rejects a target that the name contradicts: a mutation that changes a record has to name it, or
 * no record at all, and one that deletes by its input must not name anything else.
 */
function checkNamed(
  field: Field,
  kind: MutationKind,
  names: MutationNames,
  target: MutationTarget,
): MutationTarget | NoTarget {
  if (target.isNamed) return target;
  if (kind.action === "create") return checkCreated(field, names, target);
  const mentioned = names.mentioned(field.name);
  const [first] = mentioned;
  if (first !== undefined && !mentioned.some((model) => target.models.includes(model))) {
    return otherModel(getNullableType(field.type), first);
  }
  if (kind.action === "delete" && kind.input !== undefined) {
    const models = target.models.map(({ typeName }) => typeName).join(" or ");
    return { reason: `is not named after ${models} alone, so that it may remove something else` };
  }
  return target;
}

/**
 * Rejects a creation of what its payload only mentions: `cancelSponsorship` with a `sponsorsTier`,
 * or `createInvitation` with an organization as its `owner`.
 */
function checkCreated(
  field: Field,
  names: MutationNames,
  target: MutationTarget,
): MutationTarget | NoTarget {
  const { payload, models: [model] } = target;
  if (payload === undefined || model === undefined) return target;
  const object = names.object(field.name);
  if (object !== undefined && object !== model) return otherModel(payload.payloadType, object);
  const isMentioned = names.mentioned(field.name).includes(model);
  const [own, type] = [payload.fieldName ?? "", model.typeName].map((name) => lastWord(name));
  if (isMentioned || own === type) return target;
  return {
    reason: `returns ${payload.payloadType.name}, whose "${payload.fieldName}" may be a ` +
      `${model.typeName} that exists`,
  };
}

function lastWord(name: string): string | undefined {
  return wordsOf(name).findLast((word) => !/^v?\d+$/.test(word));
}

function noModel(type: { readonly name: string }): NoTarget {
  return {
    reason: `returns ${type.name}, which has no model and no single field of a model's type`,
  };
}

function otherModel(type: unknown, { typeName }: MockModel): NoTarget {
  return { reason: `returns ${type}, and its name says ${typeName}` };
}

/**
 * Chooses among an abstract type's members: the one that is named, or those that match the input.
 */
function narrowModels(
  members: readonly MockModel[],
  mutation: {
    readonly field: Field;
    readonly kind: MutationKind;
    readonly context: WriteContext;
    readonly names: MutationNames;
  },
): readonly MockModel[] {
  const { field, kind, context, names } = mutation;
  if (members.length === 1) return members;
  const input = kind.input?.type;
  const named = (input && names.model(input.name, members)) ?? names.model(field.name, members);
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
