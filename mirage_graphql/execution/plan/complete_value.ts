import {
  type GraphQLLeafType,
  type GraphQLOutputType,
  isLeafType,
  specifiedScalarTypes,
} from "graphql";
import { outputCoercionOf, type VariableValues } from "../../shared/graphql_versions.ts";
import type { MockModel } from "../../orm/models/model_map.ts";
import { isConvertible, MockRecord, MODEL, RecordList } from "../../orm/records/record_store.ts";
import { isObject, isPlainObject, isPromiseLike } from "../../shared/values.ts";
import { NeedsGraphQLJs, type ResolverCall } from "../../arguments/call.ts";

/** Values of one field's arguments. */
export type ArgumentValues = ResolverCall["args"];

/** The arguments of one field, with and without those that a default of the schema has set. */
export interface PlannedArguments {
  readonly args: ArgumentValues;
  readonly givenArgs: ArgumentValues;
}

/** What one execution of a plan needs. */
export interface ExecutionContext {
  readonly contextValue: unknown;
  readonly variables: VariableValues;
  /** Arguments by the field of the plan that they belong to: they are the same for all parents. */
  readonly args: Map<object, PlannedArguments>;
}

/**
 * Converts a resolved value to the value in the response. `model` is that of the database's own
 * records, which are completed without copies of them; other values have none.
 */
export type CompleteValue = (
  value: unknown,
  exeContext: ExecutionContext,
  model?: MockModel,
) => unknown;

/** One field of a selection set. */
export interface FieldPlan {
  /** Its alias, or its name. */
  readonly responseName: string;
  /** Name of the property that it is; `undefined` if it has a resolver. */
  readonly property: string | undefined;
  /** The `typeof` of values that are complete as they are; of numbers, only those of `Int`. */
  readonly ready: string | undefined;
  /** Resolves the field of one parent and completes the value. */
  execute(source: Source | undefined, exeContext: ExecutionContext, model?: MockModel): unknown;
}

/** An object whose properties are data. */
export type Source = Readonly<Record<string, unknown>>;

/**
 * Executes the selected fields of one parent.
 *
 * @see https://spec.graphql.org/October2021/#ExecuteSelectionSet()
 */
export function executeFields(
  fields: readonly FieldPlan[],
  source: Source | undefined,
  exeContext: ExecutionContext,
  model?: MockModel,
): Record<string, unknown> {
  const result = createResult();
  for (const field of fields) {
    const { responseName, property, ready } = field;
    const value = property === undefined ? undefined : source?.[property];
    const isReady = typeof value === ready && (typeof value !== "number" || (value | 0) === value);
    result[responseName] = isReady ? value : field.execute(source, exeContext, model);
  }
  return result;
}

/**
 * An object without a prototype, as graphql-js's results are. V8 makes `Object.create(null)` a hash
 * table of several times the size, and its garbage collector moves every one of a long list.
 */
function createResult(): Record<string, unknown> {
  return Object.setPrototypeOf({}, null);
}

/** Completes a non-null value; if it is `null`, graphql-js reports the error. */
export function completeNonNullValue(complete: CompleteValue): CompleteValue {
  return (value, exeContext, model) => {
    const completed = complete(value, exeContext, model);
    if (completed === null) throw new NeedsGraphQLJs();
    return completed;
  };
}

/**
 * Completes a list item by item. It uses `map()`: if arrays made from a literal `[]` live for a
 * while, V8 allocates later ones among its old objects, and frees their contents late.
 */
export function completeListValue(completeItem: CompleteValue): CompleteValue {
  return (value, exeContext) => {
    if (value === null || value === undefined) return null;
    if (value instanceof RecordList) {
      return value.mapOwn((record, model) => completeItem(record, exeContext, model));
    }
    if (!Array.isArray(value)) throw new NeedsGraphQLJs();
    return value.map((item: unknown) => completeItem(item, exeContext));
  };
}

/**
 * The `typeof` of what GraphQL's own coercions return, by the coercion: user-defined resolvers for
 * `String` and others replace it.
 */
const READY_TYPES = new Map<unknown, string>(specifiedScalarTypes.map((type) => {
  const coerce = outputCoercionOf(type);
  return [coerce, typeof coerce?.call(type, 1)];
}));

/** The `typeof` of values that need no coercion; of numbers, only those of `Int`. */
export function readyType(type: GraphQLOutputType): string | undefined {
  return READY_TYPES.get(isLeafType(type) && outputCoercionOf(type));
}

/** Completes a scalar or an enum value. */
export function completeLeafValue(type: GraphQLLeafType): CompleteValue {
  const coerce = outputCoercionOf(type)?.bind(type);
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === "function" || value instanceof Error || isPromiseLike(value)) {
      throw new NeedsGraphQLJs();
    }
    const coerced = coerce?.(value);
    if (coerced === null || coerced === undefined || isPromiseLike(coerced)) {
      if (coerced instanceof Promise) ignoreRejection(coerced);
      throw new NeedsGraphQLJs();
    }
    return coerced;
  };
}

/** The result is ignored, because graphql-js resolves the value again. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}

/** Completes an object: executes the fields that are selected of it. */
export function completeObjectValue(
  fieldsOf: (value: object, model: MockModel | undefined) => readonly FieldPlan[],
): CompleteValue {
  return (value, exeContext, model) => {
    if (value === null || value === undefined) return null;
    const ofModel = value instanceof MockRecord ? value[MODEL] : model;
    // other instances than those of pages may run user-defined code
    const isData = isObject(value) && !isPromiseLike(value) &&
      (ofModel !== undefined || isPlainObject(value) || isConvertible(value));
    if (!isData) throw new NeedsGraphQLJs();
    return executeFields(fieldsOf(value, ofModel), value, exeContext, ofModel);
  };
}
