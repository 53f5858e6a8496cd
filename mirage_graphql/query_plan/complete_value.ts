import type { GraphQLLeafType } from "graphql";
import { isPlainObject } from "../orm/values.ts";
import { isShowable } from "../orm/resolver_object.ts";
import { isPromiseLike } from "../orm/is_promise_like.ts";
import { isObject } from "../orm/mirage.ts";
import { MockRecord } from "../orm/records/record_store.ts";
import { RecordCopies } from "../resolvers/list.ts";
import { NeedsGraphQLJs } from "../resolvers/needs_graphql_js.ts";
import { answerFields, type FieldPlan } from "./answer_fields.ts";
import type { Answer } from "./query_run.ts";

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
