import type { getArgumentValues, GraphQLLeafType } from "graphql";
import { isObject } from "../orm/mirage.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { isConvertible } from "../orm/resolver_object.ts";
import { isPlainObject, isPromiseLike } from "../orm/values.ts";
import { RecordCopies } from "../orm/records/record_copies.ts";
import { NeedsGraphQLJs, type ResolverCall } from "../resolvers/resolver_call.ts";

/** Coerced values of an operation's variables, as graphql-js expects them. */
export type Variables = Parameters<typeof getArgumentValues>[2];

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
  readonly variables: Variables;
  /** Arguments by the field of the plan that they belong to: they are the same for all parents. */
  readonly args: Map<object, PlannedArguments>;
}

/** Converts a resolved value to the value in the response. */
export type CompleteValue = (value: unknown, exeContext: ExecutionContext) => unknown;

/** One field of a selection set. */
export interface FieldPlan {
  /** Its alias, or its name. */
  readonly responseName: string;
  /** Resolves the field of one parent and completes the value. */
  execute(source: unknown, exeContext: ExecutionContext): unknown;
}

/**
 * Executes the selected fields of one parent.
 *
 * @see https://spec.graphql.org/October2021/#ExecuteSelectionSet()
 */
export function executeFields(
  fields: readonly FieldPlan[],
  source: unknown,
  exeContext: ExecutionContext,
): Record<string, unknown> {
  const result = createResult();
  for (const field of fields) result[field.responseName] = field.execute(source, exeContext);
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
  return (value, exeContext) => {
    const completed = complete(value, exeContext);
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
    if (!Array.isArray(value) && !(value instanceof RecordCopies)) throw new NeedsGraphQLJs();
    return value.map((item: unknown) => completeItem(item, exeContext));
  };
}

/** A leaf type; graphql 17 and graphql 16 have different names for the method. */
interface CoercingType {
  coerceOutputValue?(value: unknown): unknown;
  serialize?(value: unknown): unknown;
}

/** Completes a scalar or an enum value. */
export function completeLeafValue(type: GraphQLLeafType): CompleteValue {
  const leaf: CoercingType = type;
  const coerce = leaf.coerceOutputValue?.bind(leaf) ?? leaf.serialize?.bind(leaf);
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
  fieldsOf: (value: object) => readonly FieldPlan[],
): CompleteValue {
  return (value, exeContext) => {
    if (value === null || value === undefined) return null;
    if (!isSource(value)) throw new NeedsGraphQLJs();
    return executeFields(fieldsOf(value), value, exeContext);
  };
}

/** Whether the properties of a value are data: records, pages of them, and plain objects. */
function isSource(value: unknown): value is object {
  if (!isObject(value) || isPromiseLike(value)) return false;
  return value instanceof MockRecord || isPlainObject(value) || isConvertible(value);
}
