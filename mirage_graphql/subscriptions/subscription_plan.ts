import { keyOf, wordsOf } from "../shared/names.ts";
import {
  getNamedType,
  type GraphQLField,
  GraphQLID,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isCompositeType,
  isObjectType,
} from "graphql";
import type { Orm } from "../orm/orm.ts";
import { responseIdOf } from "../orm/records/record_ids.ts";
import type { ChangeKind, RecordChange } from "../orm/records/record_changes.ts";
import {
  type Convertible,
  type MockRecord,
  TO_RESOLVER_VALUE,
  type ToResolverValue,
} from "../orm/records/record_store.ts";
import { isList, payloadField, possibleTypes } from "../schema/types.ts";
import { actionDone, createMutationWords } from "../mutations/mutation_name.ts";
import { type PayloadValues, payloadValues } from "../mutations/payload_values.ts";

/** Which changes a subscription's field reports, and its value for one of them. */
export interface SubscriptionPlan {
  readonly kind: ChangeKind;
  /** Types of the records. */
  readonly types: readonly GraphQLObjectType[];
  toValue(change: RecordChange): unknown;
}

/** What a field may be about: records of some types, on their own or inside something. */
interface Subject {
  /** Name of the type, which the field's name contains. */
  readonly name: string;
  readonly types: readonly GraphQLObjectType[];
  toValue(change: RecordChange): unknown;
}

/** Plans a field by its name and its type; returns the reason as text if that is not possible. */
export function planSubscription(
  orm: Orm,
  field: GraphQLField<unknown, unknown>,
): SubscriptionPlan | string {
  if (isList(field.type)) return "it returns a list";
  const names = subscriptionNames(field.name, orm.conventions.subscriptions);
  if (names.length === 0) {
    return "its name says nothing about records that are created, updated or deleted";
  }
  const returned = subjectsOf(orm, field.type);
  if (returned.length === 0) return `${getNamedType(field.type).name} leads to no model`;
  for (const { typeKey, kind } of names) {
    const found = returned.find(({ name }) => keyOf(name) === typeKey);
    if (found !== undefined) return { kind, types: found.types, toValue: found.toValue };
  }
  return returned.length > 1
    ? "its name contains no type that has a model"
    : `its name does not contain ${returned[0]?.name}`;
}

const itself = ({ record }: RecordChange): unknown => record;

/** The types that the field may be about; several if it returns an ID or an abstract type. */
function subjectsOf(orm: Orm, type: GraphQLOutputType): Subject[] {
  const hasModel = ({ name }: GraphQLObjectType) => orm.models.ofType(name) !== undefined;
  const named = getNamedType(type);
  if (named.name === GraphQLID.name) {
    return typesWithModel(orm).map((one) => ({
      name: one.name,
      types: [one],
      toValue: ({ model, record }: RecordChange) => responseIdOf(orm, model, record),
    }));
  }
  if (!isCompositeType(named)) return [];
  const types = possibleTypes(orm.graphQLSchema, named).filter(hasModel);
  if (types.length > 0) {
    const whole = { name: named.name, types, toValue: itself };
    return [whole, ...types.map((one) => ({ name: one.name, types: [one], toValue: itself }))];
  }
  const payload = isObjectType(named) ? payloadField(named, hasModel) : undefined;
  if (payload === undefined || !isObjectType(named)) return [];
  const toValue = ({ kind, model, record }: RecordChange) => {
    const deletedId = kind === "deleted" ? responseIdOf(orm, model, record) : undefined;
    const facts = { model, clientMutationId: undefined, deletedId };
    const place = { payloadType: named, fieldName: payload.fieldName };
    return new EventPayload(place.fieldName, payloadValues(place, facts), record);
  };
  return [{ name: payload.type.name, types: [payload.type], toValue }];
}

/** A payload around a record. */
class EventPayload implements Convertible {
  readonly [name: string]: unknown;

  constructor(fieldName: string, { others }: PayloadValues, record: MockRecord) {
    Object.assign(this, others, { [fieldName]: record });
  }

  [TO_RESOLVER_VALUE](show: ToResolverValue): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this).map(([name, value]) => [name, show(value)]));
  }
}

function typesWithModel(orm: Orm): GraphQLObjectType[] {
  return orm.models.models.flatMap(({ typeName }) => {
    const type = orm.graphQLSchema.getType(typeName);
    return isObjectType(type) ? [type] : [];
  });
}

/** What the name of a subscription's field may describe. */
export interface SubscriptionName {
  /** Name of the type in lower case, without separators. */
  readonly typeKey: string;
  readonly kind: ChangeKind;
}

const KINDS = { create: "created", update: "updated", delete: "deleted" } as const;

const { verbs } = createMutationWords();

/** Which words of a name say what happens. */
interface NameStyle {
  /** Whether verbs do, as in the name of a listener: `onPersonCreate`. */
  readonly isListener: boolean;
  /** Whether `new` does: `newPerson`. */
  readonly hasNew: boolean;
}

/** What a participle says has happened, or a verb. */
function kindOf(word: string, { isListener, hasNew }: NameStyle): ChangeKind | undefined {
  const verb = word === "change" ? "update" : verbs.get(word);
  const isVerb = (isListener || hasNew && word === "new") && verb !== "close";
  const action = actionDone(word) ?? (isVerb ? verb : undefined);
  return action && KINDS[action];
}

/**
 * Parses the name of a subscription's field: `personCreated` and `createdPerson`, with or without
 * `on` before it, in any casing; after `on`, `createPerson` and `personCreate` too. Added, changed
 * and removed are the same as created, updated and deleted.
 *
 * @param hasNew Whether `newPerson` is a name too, by convention.
 */
export function subscriptionNames(fieldName: string, hasNew = false): SubscriptionName[] {
  const words = wordsOf(fieldName);
  const rest = words[0] === "on" && words.length > 2 ? words.slice(1) : words;
  const [first = "", ...afterFirst] = rest;
  const last = rest.at(-1) ?? "";
  const read = (verb: string, others: readonly string[]): SubscriptionName[] => {
    const kind = kindOf(verb, { isListener: rest !== words, hasNew });
    return kind === undefined || others.length === 0 ? [] : [{ typeKey: others.join(""), kind }];
  };
  return [...read(last, rest.slice(0, -1)), ...read(first, afterFirst)];
}
