import { keyOf } from "../shared/names.ts";
import { getNamedType, type GraphQLObjectType, isCompositeType, isNonNullType } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";

import type { Answer } from "./write_intent.ts";
import { isIdType, isList } from "../schema/types.ts";

/** The values of a payload in addition to its record. */
export interface PayloadValues {
  /** Field of the payload that contains the record; `undefined` if none does. */
  readonly fieldName: string | undefined;
  /** Values of its other fields, by name. */
  readonly others: Readonly<Record<string, unknown>>;
  /** Names of the fields that are relations of the record. */
  readonly related: readonly string[];
}

/** A payload type, and its field for the record. */
export interface Payload {
  readonly payloadType: GraphQLObjectType;
  readonly fieldName: string | undefined;
}

/** What a payload can report about a mutation. */
export interface MutationFacts {
  readonly model: MockModel;
  readonly clientMutationId: unknown;
  /** Id of the record, if the mutation deleted it. */
  readonly deletedId: unknown;
}

/**
 * Fills a payload: `clientMutationId` is echoed, `deletedId` or `deletedPersonId` is the id of the
 * deleted record, relations of the record are read, and non-null lists, such as
 * `userErrors: [Problem!]!`, are empty.
 */
export function payloadValues(
  { payloadType, fieldName }: Payload,
  facts: MutationFacts,
): PayloadValues {
  const { model, clientMutationId, deletedId } = facts;
  const others: Record<string, unknown> = { clientMutationId };
  const related: string[] = [];
  for (const field of Object.values(payloadType.getFields())) {
    const { name, type } = field;
    if (isNonNullType(type) && isList(type)) others[name] = [];
    if (isDeletedId(field, model)) others[name] = deletedId;
    if (name !== fieldName && isRelated(field, model)) related.push(name);
  }
  return { fieldName, others, related };
}

/** What a mutation returns as a payload with its record. */
export function payloadAnswer(payload: Payload, model: MockModel): Answer {
  return ({ action, clientMutationId, ids: [id], values: [value], related }) => {
    const deletedId = action === "delete" ? id : undefined;
    const filled = payloadValues(payload, { model, clientMutationId, deletedId });
    const values: Record<string, unknown> = { ...filled.others };
    for (const name of filled.related) values[name] = related(name);
    if (filled.fieldName !== undefined) values[filled.fieldName] = value;
    return values;
  };
}

type Field = ReturnType<GraphQLObjectType["getFields"]>[string];

/** Whether a payload's field has the id of the deleted record: `deletedCommentId` for `Comment`. */
export function isDeletedId({ name, type }: Field, { typeName }: MockModel): boolean {
  if (!isIdType(type)) return false;
  const key = keyOf(name);
  return key === "deletedid" || key === `deleted${keyOf(typeName)}id`;
}

function isRelated({ name, type }: Field, { relations }: MockModel): boolean {
  const relation = relations.get(name);
  return relation !== undefined && isCompositeType(getNamedType(type)) &&
    relation.isList === isList(type);
}
