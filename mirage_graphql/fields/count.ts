import { listWordsOf } from "../arguments/list_words.ts";
import { countedInList, countedRecords, refersTo } from "../arguments/counted_records.ts";
import { countedKey, isOneOrMany, keyOf, pluralsOf, wordsOf } from "../shared/names.ts";
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isCompositeType,
  isObjectType,
} from "graphql";
import type { Orm } from "../orm/orm.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { FACTS, type PageFacts } from "./connection.ts";
import { RecordList } from "../orm/records/record_store.ts";
import { createListPlan, listFor } from "./list.ts";
import type { Resolve } from "../arguments/call.ts";
import { readProperty, thenMap } from "./source.ts";
import { isObject } from "../shared/values.ts";

type Field = GraphQLField<unknown, unknown>;

/**
 * Resolves a number that counts records, or an object with aggregates of them: `postsCount` and
 * `postsAggregate` of a type with `posts`, or at the root of a schema with the type `Post`.
 * Arguments filter like those of the list. `undefined` for other fields.
 */
export function createCountResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve | undefined {
  const named = getNamedType(field.type);
  const isAggregate = orm.shapeOf(named).kind === "aggregates";
  if (named.name !== "Int" && !isAggregate || isList(field.type)) return undefined;
  const counted = countedList(orm, parentType, field);
  if (counted === undefined) {
    return isAggregate
      ? undefined
      : countReferring(orm, parentType, field) ?? countInList(orm, parentType, field);
  }
  const own = createListPlan(orm, parentType, counted.field, counted.types);
  const plan = { ...own, missing: undefined };
  return (call) => {
    const stored = readProperty(call.source, field.name, call);
    if (isAggregate ? isObject(stored) : typeof stored === "number") return stored;
    return thenMap(plan.read(call), (held) => {
      const list = listFor(orm, plan, call, held) ?? new RecordList([]);
      return isAggregate ? { [FACTS]: factsOf(list) } : list.length;
    }, call);
  };
}

/** Resolves a number of records that refer to the source, which has no list of them. */
function countReferring(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve | undefined {
  const owner = orm.models.ofType(parentType.name);
  const counted = owner && countedRecords(orm.models, owner, field);
  if (counted === undefined) return undefined;
  const records = orm.store.of(counted.model);
  return (call) => {
    const stored = readProperty(call.source, field.name, call);
    if (stored !== undefined || !isObject(call.source)) return stored;
    const { id } = call.source;
    return records.select((record) => refersTo(counted, record, id)).length;
  };
}

/** Resolves a number of the records of the source's only list, or of those in a state. */
function countInList(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Resolve | undefined {
  const owner = orm.models.ofType(parentType.name);
  const counted = owner && countedInList(orm, owner, field);
  if (counted === undefined) return undefined;
  const { model, relation: { foreignKey }, flag } = counted;
  const records = orm.store.of(model);
  return (call) => {
    const stored = readProperty(call.source, field.name, call);
    if (stored !== undefined || !isObject(call.source)) return stored;
    const ids: unknown = call.source[foreignKey];
    const list: readonly unknown[] = Array.isArray(ids) ? ids : [];
    if (flag === undefined) return list.length;
    return list.filter((id) => records.find(String(id))?.[flag] === true).length;
  };
}

/** The facts about a list that is returned as a whole. */
function factsOf(list: RecordList): PageFacts {
  return {
    list,
    total: list.length,
    start: 0,
    size: list.length,
    hasPreviousPage: false,
    hasNextPage: false,
    startCursor: null,
    endCursor: null,
  };
}

/** What is counted: a list of the same type, or all records of a type. */
interface Counted {
  readonly field: Field;
  readonly types: readonly GraphQLObjectType[];
}

function countedList(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: Field,
): Counted | undefined {
  const isAggregate = orm.shapeOf(getNamedType(field.type)).kind === "aggregates";
  const subject = isAggregate ? aggregatedOf(orm, field.name) : countedKey(field.name);
  if (subject === undefined) return undefined;
  const list = Object.values(parentType.getFields())
    .find((one) => keyOf(one.name) === subject && isMany(orm, one));
  const ofList = list && nodeTypeOf(orm, list);
  const named = Object.values(orm.graphQLSchema.getTypeMap()).filter(isObjectType)
    .find(({ name }) =>
      isOneOrMany(subject, keyOf(name), pluralsOf(orm.mirageSchema)) && orm.models.ofType(name)
    );
  const isRoot = parentType === orm.graphQLSchema.getQueryType();
  const type = ofList ?? (isRoot ? named : undefined);
  if (!isCompositeType(type)) return undefined;
  // the arguments are those of the count, and the records those of the list
  const counting: Field = Object.create(field, {
    name: { value: list?.name ?? field.name },
    type: { value: list?.type ?? field.type },
  });
  return { field: counting, types: possibleTypes(orm.graphQLSchema, type) };
}

/** What a name such as `postsAggregate` or `aggregatePost` is about. */
function aggregatedOf({ conventions }: Orm, name: string): string | undefined {
  const words = listWordsOf(conventions.dialects);
  const own = wordsOf(name);
  const subject = own.filter((word) => !words.means("aggregate", word));
  return subject.length === own.length || subject.length === 0
    ? words.aggregated(name)
    : subject.join("");
}

function isMany({ shapeOf }: Orm, { type }: Field): boolean {
  return isList(type) || shapeOf(getNamedType(type)).kind === "connection";
}

function nodeTypeOf({ shapeOf }: Orm, { type }: Field) {
  const named = getNamedType(type);
  return shapeOf(named).nodeType ?? named;
}
