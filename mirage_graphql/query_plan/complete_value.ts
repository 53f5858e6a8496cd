import type { getArgumentValues, GraphQLLeafType } from "graphql";
import { isObject } from "../orm/mirage.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { isShowable } from "../orm/resolver_object.ts";
import { isPlainObject, isPromiseLike } from "../orm/values.ts";
import { RecordCopies } from "../resolvers/list.ts";
import { type FieldCall, NeedsGraphQLJs } from "../resolvers/resolver_call.ts";

/** Coerced values of an operation's variables, as graphql-js takes them. */
export type Variables = Parameters<typeof getArgumentValues>[2];

/** Values of one field's arguments. */
export type Args = FieldCall["args"];

/** What one run of a plan works with. */
export interface QueryRun {
  readonly context: unknown;
  readonly variables: Variables;
  /** Arguments by the place in the plan that they belong to: those of all parents are the same. */
  readonly args: Map<object, Args>;
}

/** Answers what the plan says of a value: of a parent, or of what was read of it. */
export type Answer = (value: unknown, run: QueryRun) => unknown;

/** One field of a selection. */
export interface FieldPlan {
  /** Its alias, or its name. */
  readonly responseName: string;
  /** Answers it for a parent. */
  readonly answer: Answer;
}

/** Answers the selected fields of one parent. */
export function answerFields(
  fields: readonly FieldPlan[],
  parent: unknown,
  run: QueryRun,
): Record<string, unknown> {
  const answered = createResult();
  for (const { responseName, answer } of fields) answered[responseName] = answer(parent, run);
  return answered;
}

/**
 * An object without a prototype, as graphql-js's results are. V8 makes `Object.create(null)` a hash
 * table of several times the size, and of a long list the garbage collector moves each.
 */
function createResult(): Record<string, unknown> {
  return Object.setPrototypeOf({}, null);
}

/** Answers a value that must not be `null`; the error of one that is comes from graphql-js. */
export function answerNonNull(answer: Answer): Answer {
  return (value, run) => {
    const answered = answer(value, run);
    if (answered === null) throw new NeedsGraphQLJs();
    return answered;
  };
}

/**
 * Answers a list, its items one by one. By `map()`: where arrays of a literal `[]` live on for a
 * while, V8 makes the next ones among its old objects, and what they hold is freed late.
 */
export function answerList(answerItem: Answer): Answer {
  return (value, run) => {
    if (value === null || value === undefined) return null;
    if (!Array.isArray(value) && !(value instanceof RecordCopies)) throw new NeedsGraphQLJs();
    return value.map((item: unknown) => answerItem(item, run));
  };
}

/** A leaf type, of which graphql 17 names the method otherwise than graphql 16. */
interface CoercingType {
  coerceOutputValue?(value: unknown): unknown;
  serialize?(value: unknown): unknown;
}

/** Answers a scalar or an enum value. */
export function answerLeaf(type: GraphQLLeafType): Answer {
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

/** graphql-js asks for the value again; how this promise ends is nobody's concern. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}

/** Answers an object with the fields that are selected of it. */
export function answerObject(fieldsOf: (value: object) => readonly FieldPlan[]): Answer {
  return (value, run) => {
    if (value === null || value === undefined) return null;
    if (!isParent(value)) throw new NeedsGraphQLJs();
    return answerFields(fieldsOf(value), value, run);
  };
}

/** Tells the objects whose properties are data: records, pages of them, and plain objects. */
function isParent(value: unknown): value is object {
  if (!isObject(value) || isPromiseLike(value)) return false;
  return value instanceof MockRecord || isPlainObject(value) || isShowable(value);
}
