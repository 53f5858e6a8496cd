import type { GraphQLLeafType } from "graphql";
import { isObject } from "../orm/mock_schema.ts";
import { MockRecord } from "../orm/record_store.ts";
import { RecordCopies } from "../resolvers/list.ts";
import { NeedsExecutor } from "./not_planned.ts";
import type { Answer } from "./query_run.ts";

/** Answers a value that must not be `null`; the error of one that is comes from graphql-js. */
export function answerNonNull(answer: Answer): Answer {
  return (value, run) => {
    const answered = answer(value, run);
    if (answered === null) throw new NeedsExecutor();
    return answered;
  };
}

/** Answers a list, its items one by one. */
export function answerList(answerItem: Answer): Answer {
  return (value, run) => {
    if (isMissing(value)) return null;
    if (!Array.isArray(value) && !(value instanceof RecordCopies)) throw new NeedsExecutor();
    const answered: unknown[] = [];
    for (const item of value) answered.push(answerItem(item, run));
    return answered;
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
  return (value) => {
    if (isMissing(value)) return null;
    const coerced = leaf.coerceOutputValue
      ? leaf.coerceOutputValue(value)
      : leaf.serialize?.(value);
    if (isMissing(coerced) || isPromised(coerced)) throw new NeedsExecutor();
    return coerced;
  };
}

/** Tells what graphql-js answers `null` for. A promise, an error or a function is its work alone. */
export function isMissing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "function") throw new NeedsExecutor();
  if (typeof value !== "object" || value instanceof MockRecord) return false;
  if (value instanceof Error || isPromised(value)) throw new NeedsExecutor();
  return false;
}

function isPromised(value: unknown): boolean {
  return isObject(value) && typeof value.then === "function";
}
