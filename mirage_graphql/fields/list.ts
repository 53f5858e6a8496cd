import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { RecordCopies, type RecordsOfModel } from "../orm/records/record_copies.ts";
import { viewedList } from "../schema/list_fields.ts";
import { isNestedList } from "../schema/types.ts";
import type { Sort } from "../arguments/filter.ts";
import { createFilter, createFilterPlan, type FilterPlan } from "../arguments/filter.ts";
import type { Fits } from "../arguments/item.ts";
import { createMissingValue, type MissingValue } from "./missing_value.ts";
import { createIdentify, type Identify, type Listed, PagedList, pageSlice } from "./paged_list.ts";
import { isBelowRecord, isRecord } from "./record_path.ts";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { modelOf, toArray } from "../orm/records/related.ts";
import { createFieldReader, thenMap } from "./source.ts";

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
      const candidates = candidatesOf(orm, plan, call, sourceValue);
      if (candidates.kind === "other") return candidates.value;
      const pageArgs = page?.(call);
      if (pageArgs === undefined) return toValues(candidates);
      const list = new PagedList(candidates, identify);
      const { start, end } = pageSlice(orm, list, pageArgs);
      return list.slice(start, end);
    }, call);
}

/** The contents of a list; `other` is a value that is not a list. */
export type Candidates = Listed | { readonly kind: "other"; readonly value: unknown };

/**
 * Returns the source's values that match the arguments, or the matching ones of all records if it
 * has none; `other` is a value that is not a list.
 */
export function candidatesOf(
  orm: Orm,
  plan: ListPlan,
  call: ResolverCall,
  sourceValue: unknown,
): Candidates {
  const values = toArray(sourceValue);
  if (values === undefined && (sourceValue !== undefined || !isFromAllRecords(orm, plan, call))) {
    if (plan.missing && (sourceValue === undefined || sourceValue === null)) {
      throw plan.missing(call.source);
    }
    return { kind: "other", value: sourceValue };
  }
  const fits = createFilter(orm, plan.filter, call);
  const sort = plan.filter.list.sort?.(call);
  const list = (fits: Fits | undefined) =>
    values === undefined
      ? listRecords(orm, allRecords(orm, plan.models, fits), sort)
      : listValues(orm, fits ? values.filter((one) => fits(one, modelOf(orm, one))) : values, sort);
  const including: Listed["including"] = fits &&
    ((isTarget) =>
      list((value, model) => fits(value, model) || isTarget(plan.identify(value, model))));
  return { ...list(fits), including };
}

/** Sorting mixes records of several models, so they are copied. */
function listRecords(orm: Orm, parts: readonly RecordsOfModel[], sort: Sort | undefined): Listed {
  if (sort && parts.length !== 1) return listValues(orm, [...new RecordCopies(parts)], sort);
  const sorted = parts.map(({ model, records }) => {
    return { model, records: sort?.(records, (value) => ({ value, model })) ?? records };
  });
  return { kind: "records", parts: sorted };
}

function listValues(orm: Orm, values: readonly unknown[], sort: Sort | undefined): Listed {
  const toItem = (value: unknown) => ({ value, model: modelOf(orm, value) });
  return { kind: "values", values: sort?.(values, toItem) ?? values };
}

function allRecords(
  { store }: Orm,
  models: readonly MockModel[],
  fits: Fits | undefined,
): RecordsOfModel[] {
  return models.map((model) => ({
    model,
    records: store.of(model).select(fits && ((record) => fits(record, model))),
  }));
}

function toValues(candidates: Listed): Iterable<unknown> {
  return candidates.kind === "values" ? candidates.values : new RecordCopies(candidates.parts);
}

/**
 * A source without `id` is not a record: it is the root, or an object that only groups fields. A
 * plain value of a record is neither.
 */
function isFromAllRecords(orm: Orm, plan: ListPlan, call: ResolverCall): boolean {
  if (plan.isRoot || plan.isNested) return !plan.isNested;
  return !isRecord(call.source) && !isBelowRecord(orm, call.info);
}
