import { getNamedType, type GraphQLField, type GraphQLObjectType, isLeafType } from "graphql";
import { wordsOf } from "../../names.ts";
import { isObject } from "../../orm/mirage.ts";
import type { Orm } from "../../orm/orm.ts";
import { copyValue } from "../../values.ts";
import { isList } from "../../schema/type_shapes.ts";
import type { ShapeOf } from "../../schema/shapes.ts";
import { FACTS, type PageFacts } from "../connection.ts";
import type { Resolve } from "../resolver_call.ts";
import { planAggregate, planFunctionValue, type ReadAggregate } from "./aggregates.ts";
import { readProperty } from "../source.ts";

/**
 * Resolves a field of a page that describes it, in the words of any API: `count`, `totalItems`,
 * `hasMore`, `nextToken`, `pageInfo { pages }`, `aggregate { sum { price } }`. `undefined` if its
 * name is not one of these.
 */
export function createFactResolver(
  { shapeOf }: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve | undefined {
  const read = shapeOf(parentType).kind === "aggregate function"
    ? planFunctionValue(field)
    : planAggregate(shapeOf, field) ?? planFact(shapeOf, field);
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
  shapeOf: ShapeOf,
  { name, type }: GraphQLField<unknown, unknown>,
): ReadAggregate | undefined {
  const named = getNamedType(type);
  if (isLeafType(named)) return factOf(wordsOf(name), named.name);
  const { kind } = shapeOf(named);
  return kind === "page facts" || kind === "aggregates" ? () => ({}) : undefined;
}

function factsOf(page: unknown): PageFacts | undefined {
  const facts: unknown = isObject(page) ? Reflect.get(page, FACTS) : undefined;
  return isFacts(facts) ? facts : undefined;
}

function isFacts(value: unknown): value is PageFacts {
  return isObject(value) && "total" in value;
}

type ReadFact = (facts: PageFacts) => unknown;

/** The fact that a name refers to, with the name of its type. */
function factOf(words: readonly string[], typeName: string): ReadFact | undefined {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const isNumber = typeName === "Int";
  const isNext = has(/^(next|more)$/);
  const isPrevious = has(/^(prev|previous)$/);
  if (typeName === "Boolean") {
    if (isNext) return ({ hasNextPage }) => hasNextPage;
    return isPrevious ? ({ hasPreviousPage }) => hasPreviousPage : undefined;
  }
  if (isNumber && isNext) return (facts) => facts.hasNextPage ? pageOf(facts) + 1 : null;
  if (isNumber && isPrevious) return (facts) => facts.hasPreviousPage ? pageOf(facts) - 1 : null;
  if (isNext || has(/^token$/)) return (facts) => facts.hasNextPage ? facts.endCursor : null;
  if (isPrevious) return (facts) => facts.hasPreviousPage ? facts.startCursor : null;
  if (has(/^cursor$/)) {
    return has(/^start$/) ? ({ startCursor }) => startCursor : ({ endCursor }) => endCursor ?? "";
  }
  return isNumber ? numberOf(has) : undefined;
}

function numberOf(has: (pattern: RegExp) => boolean): ReadFact | undefined {
  if (has(/^pages$/) || has(/^page$/) && has(/^(count|last|total)$/)) {
    return ({ total, size }) => size === 0 ? 0 : Math.ceil(total / size);
  }
  if (has(/^(limit|size|per|take)$/)) return ({ size }) => size;
  if (has(/^(total|count)$/)) return ({ total }) => total;
  if (has(/^(page|current)$/)) return pageOf;
  return has(/^(offset|skip)$/) ? ({ start }) => start : undefined;
}

/** The number of the page; one after the last page starts where the records end. */
function pageOf({ start, size, page }: PageFacts): number {
  return page ?? (size === 0 ? 1 : Math.floor(start / size) + 1);
}
