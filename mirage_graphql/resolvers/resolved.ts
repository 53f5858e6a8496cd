import { isPromiseLike } from "../orm/is_promise_like.ts";
import { isMirageCollection, isObject } from "../orm/mirage.ts";

/**
 * Makes what a host's resolver returned ready to read: a Mirage collection is a list, also one in a
 * list or one that is promised, and a `Response`, of Mirage or of fetch, is thrown, so that it
 * becomes the answer of the whole request.
 */
export function toResolved(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.some(isUnready) ? value.map(toResolved) : value;
  if (isPromiseLike(value)) return Promise.resolve(value).then(toResolved);
  if (isMirageCollection(value)) return value.models;
  if (typeof value.toRackResponse === "function" || value instanceof Response) throw value;
  return value;
}

function isUnready(item: unknown): boolean {
  return Array.isArray(item) || isMirageCollection(item) || isPromiseLike(item);
}
