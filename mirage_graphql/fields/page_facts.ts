import { getNamedType, type GraphQLField, type GraphQLObjectType, isLeafType } from "graphql";
import { listWordsOf } from "../arguments/list_words.ts";
import type { PageFactName } from "../dialects/dialect.ts";
import { wordsOf } from "../shared/names.ts";
import type { Orm } from "../orm/orm.ts";
import { copyValue, isObject } from "../shared/values.ts";
import { isList, possibleTypes } from "../schema/types.ts";
import { FACTS, type PageFacts } from "./connection.ts";
import type { Resolve } from "../arguments/call.ts";
import { planAggregate, planFunctionValue, planSum, type ReadAggregate } from "./aggregates.ts";
import { readProperty } from "./source.ts";

/**
 * Resolves a field of a page that describes it, in the words of any API: `count`, `totalItems`,
 * `hasMore`, `nextToken`, `pageInfo { pages }`, `aggregate { sum { price } }`. `undefined` if its
 * name is not one of these.
 */
export function createFactResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve | undefined {
  const { shapeOf } = orm;
  const read = shapeOf(parentType).kind === "aggregate function"
    ? planFunctionValue(field)
    : planAggregate(shapeOf, field) ?? planFact(orm, field) ?? planTotal(orm, parentType, field);
  if (read === undefined) return undefined;
  const isLeaf = isLeafType(getNamedType(field.type));
  return (call) => {
    const { source } = call;
    if (!isObject(source)) return undefined;
    const own = readProperty(source, field.name, call);
    const facts = factsOf(source) ?? factsOf(source.pageInfo);
    if (facts === undefined) return own;
    // the greatest value may be an object of the database, such as a date
    if (isLeaf) return own === undefined ? copyValue(read(facts, call)) : own;
    const value = read(facts, call);
    return isList(field.type) || !isObject(value)
      ? own
      : { ...(isObject(own) ? own : {}), ...value, [FACTS]: facts };
  };
}

/** Plans a field that describes the page, or that contains such fields. */
function planFact(
  { shapeOf, conventions }: Orm,
  { name, type }: GraphQLField<unknown, unknown>,
): ReadAggregate | undefined {
  const named = getNamedType(type);
  if (isLeafType(named)) {
    const fact = listWordsOf(conventions.dialects).fact(name) ??
      guessFact(wordsOf(name), named.name);
    return fact && READERS[fact];
  }
  const { kind } = shapeOf(named);
  return kind === "page facts" || kind === "aggregates" ? () => ({}) : undefined;
}

/** Plans a number of a page that the records have too: the sum of theirs. */
function planTotal(
  { shapeOf, graphQLSchema }: Orm,
  parentType: GraphQLObjectType,
  { name, type }: GraphQLField<unknown, unknown>,
): ReadAggregate | undefined {
  const { nodeType } = shapeOf(parentType);
  const types = nodeType === undefined ? [] : possibleTypes(graphQLSchema, nodeType);
  const isSame = (field: GraphQLField<unknown, unknown> | undefined) =>
    field !== undefined && getNamedType(field.type) === getNamedType(type) && !isList(field.type);
  const isNumber = /^(Int|Float)$/.test(getNamedType(type).name);
  return isNumber && types.some((one) => isSame(one.getFields()[name])) ? planSum(name) : undefined;
}

function factsOf(page: unknown): PageFacts | undefined {
  const facts: unknown = isObject(page) ? Reflect.get(page, FACTS) : undefined;
  return isFacts(facts) ? facts : undefined;
}

function isFacts(value: unknown): value is PageFacts {
  return isObject(value) && "total" in value;
}

type ReadFact = (facts: PageFacts) => unknown;

const READERS: Readonly<Record<PageFactName, ReadFact>> = {
  total: ({ total }) => total,
  size: ({ size }) => size,
  offset: ({ start }) => start,
  page: pageOf,
  pages: ({ total, size }) => size === 0 ? 0 : Math.ceil(total / size),
  "has next": ({ hasNextPage }) => hasNextPage,
  "has previous": ({ hasPreviousPage }) => hasPreviousPage,
  "next page": (facts) => facts.hasNextPage ? pageOf(facts) + 1 : null,
  "previous page": (facts) => facts.hasPreviousPage ? pageOf(facts) - 1 : null,
  "start cursor": ({ startCursor }) => startCursor,
  "end cursor": ({ endCursor }) => endCursor ?? "",
  "next cursor": ({ hasNextPage, endCursor }) => hasNextPage ? endCursor : null,
  "previous cursor": ({ hasPreviousPage, startCursor }) => hasPreviousPage ? startCursor : null,
};

/** The fact that the words of a name refer to, with the name of its type. */
function guessFact(words: readonly string[], typeName: string): PageFactName | undefined {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const isNumber = typeName === "Int";
  const isNext = has(/^(next|more)$/);
  const isPrevious = has(/^(prev|previous)$/);
  if (typeName === "Boolean") return isNext ? "has next" : isPrevious ? "has previous" : undefined;
  if (isNext) return isNumber ? "next page" : "next cursor";
  if (isPrevious) {
    return isNumber ? "previous page" : has(/^token$/) ? "next cursor" : "previous cursor";
  }
  if (has(/^token$/)) return "next cursor";
  if (has(/^cursor$/)) return has(/^start$/) ? "start cursor" : "end cursor";
  return isNumber ? guessNumber(has) : undefined;
}

function guessNumber(has: (pattern: RegExp) => boolean): PageFactName | undefined {
  if (has(/^pages$/) || has(/^page$/) && has(/^(count|last|total)$/)) return "pages";
  if (has(/^(limit|size|per|take)$/)) return "size";
  if (has(/^(total|count)$/)) return "total";
  if (has(/^(page|current)$/)) return "page";
  return has(/^(offset|skip)$/) ? "offset" : undefined;
}

/** The number of the page; one after the last page starts where the records end. */
function pageOf({ start, size, page }: PageFacts): number {
  return page ?? (size === 0 ? 1 : Math.floor(start / size) + 1);
}
