import { isMirageCollection, isObject } from "../orm/mock_schema.ts";

/**
 * Makes what a host's resolver returned ready to read: a Mirage collection is a list, and a
 * `Response`, of Mirage or of fetch, is thrown, so that it becomes the answer of the whole request.
 */
export function toResolved(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (typeof value.then === "function") return Promise.resolve(value).then(toResolved);
  if (isMirageCollection(value)) return value.models;
  if (typeof value.toRackResponse === "function" || value instanceof Response) throw value;
  return value;
}
