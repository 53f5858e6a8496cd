import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { createFilterPlan, type FilterPlan, type Sort } from "../arguments/filter.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import {
  type IsListed,
  RecordList,
  type RecordsOfModel,
  toArray,
} from "../orm/records/record_store.ts";
import { modelOf } from "../orm/records/related.ts";
import { viewedList } from "../schema/list_fields.ts";
import { isNestedList } from "../schema/types.ts";
import { isGiven } from "../shared/values.ts";
import { createMissingValue, type MissingValue } from "./missing_value.ts";
import { createIdentify, type Identify, pageSlice } from "./page_slice.ts";
import { createFieldReader, isBelowRecord, isRecord, thenMap } from "./source.ts";

/** How to resolve the values of a list. */
export interface ListPlan {
  readonly read: Resolve;
  readonly filter: FilterPlan;
  /** Models of the values, in the order of the types. */
  readonly models: readonly MockModel[];
  readonly identify: Identify;
  /** Whether the field is at the root, so that it lists all records. */
  readonly isRoot: boolean;
  /** Whether the list contains lists, which only a source can provide. */
  readonly isNested: boolean;
  /** Creates the error for a missing list; `undefined` if it may be `null`. */
  readonly missing: MissingValue | undefined;
}

/** Plans a field that returns a list of objects, of one type or of several. */
export function createListPlan(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  types: readonly GraphQLObjectType[],
  ignored?: ReadonlySet<string>,
): ListPlan {
  return {
    read: createListReader(orm, parentType, field),
    filter: createFilterPlan(orm, parentType, field, types, ignored),
    models: types.flatMap(({ name }) => orm.models.ofType(name) ?? []),
    identify: createIdentify(orm, types),
    isRoot: parentType === orm.graphQLSchema.getQueryType(),
    isNested: isNestedList(field.type),
    missing: createMissingValue(orm, parentType, field),
  };
}

/** Reads a list, or the list next to it of which it is another shape. */
function createListReader(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): Resolve {
  const model = orm.models.ofType(parentType.name);
  const read = createFieldReader(orm, model, field.name);
  const list = viewedList(orm.shapeOf, parentType, field);
  if (list === undefined) return read;
  const readList = createFieldReader(orm, model, list.name);
  return (call) => read(call) ?? readList(call);
}

/** Resolves a list of objects: the matching ones of the source, or at the root of all records. */
export function createListResolver(orm: Orm, plan: ListPlan): Resolve {
  const { identify, filter: { list: { page, byIds } } } = plan;
  return (call) =>
    thenMap(plan.read(call), (sourceValue) => {
      if (byIds !== undefined && sourceValue === undefined) return byIds(call);
      const list = listFor(orm, plan, call, sourceValue);
      if (list === undefined) return sourceValue;
      const pageArgs = page?.(call);
      if (pageArgs === undefined) return list;
      const { start, end } = pageSlice(orm, list, pageArgs, identify);
      return list.slice(start, end);
    }, call);
}

/**
 * The values of the source that match the arguments, or the matching ones of all records if it has
 * none; `undefined` if its value is not a list.
 */
export function listFor(
  orm: Orm,
  plan: ListPlan,
  call: ResolverCall,
  sourceValue: unknown,
): RecordList | undefined {
  const values = toArray(sourceValue);
  if (values === undefined && (sourceValue !== undefined || !isFromAllRecords(orm, plan, call))) {
    if (plan.missing && !isGiven(sourceValue)) throw plan.missing(call.source);
    return undefined;
  }
  const fits = plan.filter.fits?.(call);
  const { sort: sortOf, notes } = plan.filter.list;
  const sort = sortOf?.(call);
  const partsOf = (isListed: IsListed | undefined) =>
    values === undefined
      ? sortRecords(orm, allRecords(orm, plan.models, isListed), sort)
      : [{ records: sortValues(orm, filterValues(orm, values, isListed), sort) }];
  const including = fits &&
    ((isListed: IsListed) =>
      new RecordList(partsOf((value, model) => fits(value, model) || isListed(value, model))));
  const list = new RecordList(partsOf(fits), including);
  if (values === undefined && notes?.isDone === false) notes.note(call, list.length > 0);
  return list;
}

/** Sorting mixes records of several models, so they are copied. */
function sortRecords(orm: Orm, parts: readonly RecordsOfModel[], sort: Sort | undefined) {
  if (sort === undefined) return parts;
  if (parts.length !== 1) return [{ records: sortValues(orm, [...new RecordList(parts)], sort) }];
  return parts.map(({ model, records }) => ({
    model,
    records: sort(records, (value) => ({ value, model })),
  }));
}

function sortValues(orm: Orm, values: readonly unknown[], sort: Sort | undefined) {
  return sort?.(values, (value) => ({ value, model: modelOf(orm, value) })) ?? values;
}

function filterValues(orm: Orm, values: readonly unknown[], isListed: IsListed | undefined) {
  return isListed ? values.filter((one) => isListed(one, modelOf(orm, one))) : values;
}

function allRecords(
  { store }: Orm,
  models: readonly MockModel[],
  isListed: IsListed | undefined,
): RecordsOfModel[] {
  return models.map((model) => ({
    model,
    records: store.of(model).select(isListed && ((record) => isListed(record, model))),
  }));
}

/**
 * A source without `id` is not a record: it is the root, or an object that only groups fields. A
 * plain value of a record is neither.
 */
function isFromAllRecords(orm: Orm, plan: ListPlan, call: ResolverCall): boolean {
  if (plan.isRoot || plan.isNested) return !plan.isNested;
  return !isRecord(call.source) && !isBelowRecord(orm, call.info);
}
