import { type GraphQLObjectType, isNonNullType } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import { nameKey } from "../orm/models/model_names.ts";
import { isIdType, isList } from "../schema/type_shapes.ts";

/** The values of a payload besides its record. */
export interface PayloadValues {
  /** Field of the payload that holds the record. */
  readonly fieldName: string;
  /** Values of its other fields, by name. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** A payload type, and its field for the record. */
export interface Payload {
  readonly payloadType: GraphQLObjectType;
  readonly fieldName: string;
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
 * deleted record, and non-null lists, such as `userErrors: [Problem!]!`, are empty.
 */
export function payloadValues(
  { payloadType, fieldName }: Payload,
  facts: MutationFacts,
): PayloadValues {
  const others: Record<string, unknown> = { clientMutationId: facts.clientMutationId };
  const idNames = ["deletedid", `deleted${nameKey(facts.model.typeName)}id`];
  for (const { name, type } of Object.values(payloadType.getFields())) {
    if (isNonNullType(type) && isList(type)) others[name] = [];
    if (isIdType(type) && idNames.includes(nameKey(name))) {
      others[name] = facts.deletedId;
    }
  }
  return { fieldName, others };
}
