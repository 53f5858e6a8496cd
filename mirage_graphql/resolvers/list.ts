import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { type DatabaseRecords, MockRecord } from "../orm/records/record_store.ts";
import {
  type Convertible,
  TO_RESOLVER_VALUE,
  type ToResolverValue,
} from "../orm/resolver_object.ts";
import { isNestedList } from "../schema/type_shapes.ts";
import { createFilter, createFilterPlan, type FilterPlan, type Fits } from "./filter.ts";
import { createMissingValue, type MissingValue } from "./missing_value.ts";
import type { Resolve, ResolverCall } from "./resolver_call.ts";
import { createFieldReader, modelOf, thenMap, toArray } from "./source.ts";

/** Where the values of a list come from. */
export interface ListPlan {
  readonly read: Resolve;
  readonly filter: FilterPlan;
  /** Models of the values, in the order of the types. */
  readonly models: readonly MockModel[];
  /** Whether the list of a parent that says nothing of it is that of all records. */
  readonly isRoot: boolean;
  /** Whether the list holds lists, which only a parent has. */
  readonly isNested: boolean;
  /** Makes the error for a parent without the list; `undefined` where `null` is as good. */
  readonly missing: MissingValue | undefined;
}

/** Plans a field that returns a list of objects, be they of one type or of several. */
export function createListPlan(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  types: readonly GraphQLObjectType[],
  ignored?: ReadonlySet<string>,
): ListPlan {
  return {
    read: createFieldReader(orm, orm.models.ofType(parentType.name), field.name),
    filter: createFilterPlan(orm, parentType, field, types, ignored),
    models: types.flatMap(({ name }) => orm.models.ofType(name) ?? []),
    isRoot: parentType === orm.graphQLSchema.getQueryType(),
    isNested: isNestedList(field.type),
    missing: createMissingValue(orm, parentType, field),
  };
}

/** Resolves a list of objects: those of the parent, or at the root all records, that fit. */
export function createListResolver(orm: Orm, plan: ListPlan): Resolve {
  return (call) =>
    thenMap(plan.read(call), (own) => {
      const candidates = candidatesOf(orm, plan, call, own);
      return candidates.kind === "other" ? candidates.value : toValues(candidates);
    }, call);
}

/** What a list holds, before anything of it is copied: of one model after the other. */
export type Candidates =
  | { readonly kind: "records"; readonly parts: readonly RecordsOfModel[] }
  | { readonly kind: "values"; readonly values: readonly unknown[] }
  | { readonly kind: "other"; readonly value: unknown };

/** Records of the database, which are copied before they are handed out. */
export interface RecordsOfModel {
  readonly model: MockModel;
  readonly records: DatabaseRecords;
}

/**
 * Finds what fits the arguments in what the parent has, or in all records where it has nothing; what
 * is no list is `other`.
 */
export function candidatesOf(
  orm: Orm,
  plan: ListPlan,
  call: ResolverCall,
  own: unknown,
): Candidates {
  const values = toArray(own);
  if (values === undefined && (own !== undefined || !isFromAllRecords(plan, call.source))) {
    if (plan.missing && (own === undefined || own === null)) throw plan.missing(call.source);
    return { kind: "other", value: own };
  }
  const fits = createFilter(orm, plan.filter, call);
  if (values === undefined) return { kind: "records", parts: allRecords(orm, plan.models, fits) };
  const fitting = fits && values.filter((value) => fits(value, modelOf(orm, value)));
  return { kind: "values", values: fitting ?? values };
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

function toValues(candidates: Exclude<Candidates, { kind: "other" }>): Iterable<unknown> {
  return candidates.kind === "values" ? candidates.values : new RecordCopies(candidates.parts);
}

/**
 * Copies records one by one as they are read, so that of a long list few are in memory at
 * once.
 */
export class RecordCopies implements Iterable<MockRecord>, Convertible {
  readonly #parts: readonly RecordsOfModel[];

  /** Takes the records as they stand in the database. */
  constructor(parts: readonly RecordsOfModel[]) {
    this.#parts = parts;
  }

  *[Symbol.iterator](): Generator<MockRecord, void, undefined> {
    for (const { model, records } of this.#parts) {
      for (const record of records) yield new MockRecord(model, record);
    }
  }

  /** What a function makes of each record. */
  map<Value>(each: (record: MockRecord) => Value): Value[] {
    const lists = this.#parts.map(({ model, records }) =>
      records.map((record) => each(new MockRecord(model, record)))
    );
    const [only] = lists;
    return only !== undefined && lists.length === 1 ? only : lists.flat();
  }

  [TO_RESOLVER_VALUE](show: ToResolverValue): unknown {
    return this.map(show);
  }
}

/** A parent without `id` stands for no record: it is the root, or an object that only groups. */
function isFromAllRecords(plan: ListPlan, source: unknown): boolean {
  if (plan.isNested) return false;
  return plan.isRoot || !(typeof source === "object" && source !== null && "id" in source);
}
