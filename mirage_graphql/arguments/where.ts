import {
  getNamedType,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLString,
  isInputObjectType,
  isObjectType,
} from "graphql";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { idFormatOf } from "../orm/records/record_ids.ts";
import { type RecordRef, toRecordRef } from "../orm/writes/record_ref.ts";
import { writeError } from "../orm/writes/write_context.ts";
import { toLocalIds } from "../relay/global_id.ts";
import { isObject, isPlainObject } from "../shared/values.ts";
import { createMemberReader, equality } from "./item.ts";
import { createPredicate, type FilterContext } from "./filter_predicate.ts";
import { createFilterShape, type FilterShape } from "./filter_shape.ts";
import type { ListWords } from "./list_words.ts";
import { createTarget } from "./targets.ts";

/** Whether a record is one of those to write. */
export type Matches = (record: Readonly<MirageRecord>) => boolean;

/** The records that match all tests, in the order of the table. */
export function findRefs(
  { store }: Orm,
  model: MockModel,
  tests: readonly Matches[],
): RecordRef[] {
  return store.of(model).select((record) => tests.every((fits) => fits(record)))
    .map((record) => toRecordRef(model.modelName, record));
}

/** Matches records by equality: ids and other keys, or one of several if the value is a list. */
export function matchKeys(
  orm: Orm,
  model: MockModel,
  keys: Readonly<Record<string, unknown>>,
): Matches {
  const tests = Object.entries(keys).map(([name, value]) => equality(orm, [model], name)(value));
  return (record) => tests.every((fits) => fits(record, model));
}

/** A `where`, and its input type: by default, the one that the value itself implies. */
export interface GivenWhere {
  readonly where: unknown;
  readonly type?: GraphQLInputType | undefined;
}

/**
 * Plans how to match records of a model by a `where` with the operators of queries. Unlike in a
 * query, all its fields must be known, and a `null` that restricts nothing is rejected, because it
 * would write everything: the returned function throws a `GraphQLError` then.
 */
export function createWhere(orm: Orm, model: MockModel): (given: GivenWhere) => Matches {
  const modelType = orm.graphQLSchema.getType(model.typeName);
  const target = createTarget(orm, isObjectType(modelType) ? [modelType] : []);
  const refuse = (name: string, state: string): never => {
    throw writeError(`Cannot find ${model.typeName} by "${name}": ${state}`);
  };
  const context: FilterContext = {
    reader: createMemberReader(orm),
    words: target.words,
    onUnknown: (name) => refuse(name, "it has no such attribute, and no operator has that name"),
    toLocalIds: (typeName, ids) => toLocalIds(idFormatOf(orm), typeName, ids),
  };
  // one for each input type of the schema, and those that are implied end with their call
  const shapes = new WeakMap<GraphQLInputType, FilterShape>();
  return ({ where, type = impliedType(where) }) => {
    const shape = shapes.get(type) ?? groupingShape(createFilterShape(type, target));
    shapes.set(type, shape);
    const ignored = ignoredNull(target.words, shape, where);
    if (ignored !== undefined) {
      refuse(ignored, "it is empty or null, which would restrict nothing");
    }
    const fits = createPredicate(context, shape, where);
    return (record) => fits({ value: record, model }) === true;
  };
}

/** An object that is not a member groups others: the key of two columns, as in Prisma. */
function groupingShape(shape: FilterShape): FilterShape {
  return {
    ...shape,
    rule(name) {
      const rule = shape.rule(name);
      const type = shape.typeOf(name);
      if (rule !== undefined || !isInputObjectType(type && getNamedType(type))) return rule;
      const inner = createFilterShape(type!, shape.target);
      return inner.isFilter ? { kind: "logic", word: "and", shape: inner } : undefined;
    },
  };
}

/**
 * The name of a `null` that doesn't request records without a value, or of an object without
 * operators.
 */
function ignoredNull(
  words: ListWords,
  shape: FilterShape | undefined,
  where: unknown,
): string | undefined {
  if (Array.isArray(where)) return firstDefined(where, (one) => ignoredNull(words, shape, one));
  if (!isObject(where)) return undefined;
  return firstDefined(Object.entries(where), ([name, value]) => {
    const rule = shape?.rule(name);
    if (value === null || value === undefined) {
      return isAboutNull(words, rule, name) ? undefined : name;
    }
    if (rule?.kind === "operators" && isObject(value) && Object.keys(value).length === 0) {
      return name;
    }
    const inner = rule?.kind === "logic" || rule?.kind === "relation" ? rule.shape : undefined;
    return ignoredNull(words, inner, value);
  });
}

function isAboutNull(
  words: ListWords,
  rule: ReturnType<FilterShape["rule"]>,
  name: string,
): boolean {
  if (rule?.kind === "relation") return !rule.member.isList;
  const operator = rule?.kind === "value"
    ? rule.operator
    : rule === undefined
    ? words.operator(name)
    : undefined;
  return operator !== undefined && ["eq", "distinct"].includes(operator.comparison);
}

function firstDefined<T>(
  items: readonly T[],
  of: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The input type that a value would have: filters depend only on objects and lists. */
function impliedType(value: unknown): GraphQLInputType {
  if (Array.isArray(value)) {
    const objects = value.filter(isPlainObject);
    return new GraphQLList(
      objects.length === 0 ? GraphQLString : impliedType(Object.assign({}, ...objects)),
    );
  }
  if (!isPlainObject(value)) return GraphQLString;
  const fields = Object.entries(value).map(([name, inner]) => [name, { type: impliedType(inner) }]);
  return new GraphQLInputObjectType({ name: "Where", fields: Object.fromEntries(fields) });
}
