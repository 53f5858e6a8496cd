import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isAbstractType,
  isNonNullType,
} from "graphql";
import type { Resolve, ResolverCall } from "../arguments/call.ts";
import { createFilterPlan, type FilterPlan } from "../arguments/filter.ts";
import type { MirageRecord } from "../orm/mirage/mirage_schema.ts";
import type { MockModel } from "../orm/models/model_map.ts";
import type { Orm } from "../orm/orm.ts";
import { toTableId } from "../orm/records/record_ids.ts";
import { MockRecord, toArray } from "../orm/records/record_store.ts";
import { modelOf } from "../orm/records/related.ts";
import { lookupList } from "../schema/list_fields.ts";
import { selectedTypes } from "../shared/selection.ts";
import { isGiven } from "../shared/values.ts";
import { createMissingValue, type MissingValue } from "./missing_value.ts";
import { createFieldReader, thenMap } from "./source.ts";

/** How to resolve a single object. */
interface ObjectPlan {
  readonly read: Resolve;
  /** Reads the list of the source in which the object is looked up. */
  readonly readList: Resolve | undefined;
  readonly filter: FilterPlan;
  readonly types: readonly GraphQLObjectType[];
  readonly isRoot: boolean;
  readonly isAbstract: boolean;
  /** Whether a record that does not match is returned, because the field must not be `null`. */
  readonly isGenerated: boolean;
  readonly missing: MissingValue | undefined;
}

/**
 * Resolves a single object: that of the source, or the first that matches in the source's list, or
 * at the root in all records.
 */
export function createObjectResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  types: readonly GraphQLObjectType[],
): Resolve {
  const parentModel = orm.models.ofType(parentType.name);
  const list = lookupList(orm.shapeOf, parentType, field);
  const plan: ObjectPlan = {
    read: createFieldReader(orm, parentModel, field.name),
    readList: list && createFieldReader(orm, parentModel, list.name),
    filter: createFilterPlan(orm, parentType, field, types),
    types,
    isRoot: parentType === orm.graphQLSchema.getQueryType(),
    isAbstract: isAbstractType(getNamedType(field.type)),
    isGenerated: orm.conventions.defaults === "generate" && isNonNullType(field.type),
    missing: createMissingValue(orm, parentType, field),
  };
  return (call) =>
    thenMap(
      plan.read(call),
      (sourceValue) =>
        sourceValue === undefined && plan.readList !== undefined && !plan.isRoot
          ? thenMap(plan.readList(call), (list) =>
            checkMissing(plan.missing, call, firstOf(orm, plan, call, list), list), call)
          : checkMissing(plan.missing, call, objectFor(orm, plan, call, sourceValue), sourceValue),
      call,
    );
}

/** Resolves a field that returns a root type: it leads there, unless its source has `null`. */
export function createRootResolver(
  orm: Orm,
  parentType: GraphQLObjectType,
  { name }: GraphQLField<unknown, unknown>,
): Resolve {
  const read = createFieldReader(orm, orm.models.ofType(parentType.name), name);
  return (call) => thenMap(read(call), (value) => value === undefined ? {} : value, call);
}

/**
 * Returns a value, or throws if it is missing but must not be; the error describes what the source
 * has.
 */
function checkMissing(
  missing: MissingValue | undefined,
  { source }: Pick<ResolverCall, "source">,
  value: unknown,
  held?: unknown,
): unknown {
  if (missing && !isGiven(value)) throw missing(source, held);
  return value;
}

function objectFor(orm: Orm, plan: ObjectPlan, call: ResolverCall, sourceValue: unknown): unknown {
  if (sourceValue === undefined && plan.isRoot) return firstRecord(orm, plan, call);
  const fits = plan.filter.fits?.(call);
  if (sourceValue === undefined || sourceValue === null) return sourceValue;
  const isKept = plan.isGenerated || fits === undefined ||
    fits(sourceValue, modelOf(orm, sourceValue));
  return isKept ? sourceValue : null;
}

function firstOf(orm: Orm, plan: ObjectPlan, call: ResolverCall, list: unknown): unknown {
  const fits = plan.filter.fits?.(call);
  const found = toArray(list)?.find((value) =>
    fits === undefined || fits(value, modelOf(orm, value))
  );
  return found ?? null;
}

/** Types that the selection names come first, so that `node(id: 1) { ... on Post }` is a post. */
function firstRecord(orm: Orm, plan: ObjectPlan, call: ResolverCall): unknown {
  const types = plan.isAbstract ? selectedTypes(plan.types, call.info) : plan.types;
  const find = (read: (model: MockModel) => unknown): unknown => {
    for (const { name } of types) {
      const model = orm.models.ofType(name);
      const record = model && read(model);
      if (record !== undefined) return record;
    }
    return undefined;
  };
  const mayBeAny = plan.isGenerated && !namesId(plan.filter.given(call));
  return find((model) => firstRecordOf(orm, model, plan, call)) ??
    (mayBeAny ? find((model) => orm.store.of(model).first()) : null);
}

function namesId(given: ResolverCall["args"]): boolean {
  return Object.keys(given).some((name) => /id$/i.test(name));
}

function firstRecordOf(orm: Orm, model: MockModel, plan: ObjectPlan, call: ResolverCall): unknown {
  const given = plan.filter.given(call);
  const { id } = given;
  const sort = plan.filter.list.sort?.(call);
  if (isSingleId(id) && Object.keys(given).length === 1) {
    return orm.store.of(model).find(toTableId(orm, model, id));
  }
  const fits = plan.filter.fits?.(call);
  const isFit = fits && ((record: MirageRecord) => fits(record, model));
  if (sort === undefined) return orm.store.of(model).first(isFit);
  const [record] = sort(orm.store.of(model).select(isFit), (value) => ({ value, model }));
  return record && new MockRecord(model, record);
}

function isSingleId(id: unknown): boolean {
  return typeof id === "string" || typeof id === "number";
}
