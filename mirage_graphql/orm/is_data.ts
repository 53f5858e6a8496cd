import { isPlainObject } from "./values.ts";
import { isPromiseLike } from "./is_promise_like.ts";
import { isObject } from "./mirage.ts";
import { MockRecord } from "./records/record_store.ts";

/**
 * Tells values that can be read again and again: records, plain objects, lists of these, and what is
 * no object. Functions, promises and instances of the host's classes are none.
 */
export function isData(value: unknown): boolean {
  if (!isObject(value)) return typeof value !== "function";
  if (Array.isArray(value)) return value.every(isData);
  return (value instanceof MockRecord || isPlainObject(value)) && !isPromiseLike(value);
}
