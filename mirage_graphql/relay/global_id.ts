import { type CursorTarget, decodeCursor, encodeCursor } from "./cursor.ts";

/**
 * The ids of records in responses: as stored, with their type (`Person:1`), or the same in base64,
 * as in Relay.
 */
export type IdFormat = "local" | "global" | "global-base64";

/**
 * Converts the id of a record to its form in responses.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { toGlobalId } from "./global_id.ts";
 *
 * strictEqual(toGlobalId("global", "Person", "1"), "Person:1");
 * strictEqual(toGlobalId("global-base64", "Person", "1"), "UGVyc29uOjE=");
 * ```
 */
export function toGlobalId(format: IdFormat, typeName: string, id: string): string {
  if (format === "global-base64") return encodeCursor(typeName, id);
  return format === "global" ? `${typeName}:${id}` : id;
}

/** Splits a global id into type and id; `undefined` for other texts. */
export function parseGlobalId(format: IdFormat, text: string): CursorTarget | undefined {
  if (format === "global-base64") return decodeCursor(text);
  const colon = format === "global" ? text.indexOf(":") : -1;
  return colon < 0 ? undefined : { typeName: text.slice(0, colon), id: text.slice(colon + 1) };
}

/**
 * Replaces the global ids of a type with local ones, also in lists and objects. Global ids of other
 * types are kept, so that they match none of its records, and so are local ids.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { toLocalIds } from "./global_id.ts";
 *
 * deepStrictEqual(toLocalIds("global", "Post", ["Post:1", "Person:1", "2"]), ["1", "Person:1", "2"]);
 * ```
 */
export function toLocalIds(format: IdFormat, typeName: string, value: unknown): unknown {
  if (format === "local") return value;
  if (typeof value === "string") {
    const found = parseGlobalId(format, value);
    return found?.typeName === typeName ? found.id : value;
  }
  const toLocal = (one: unknown) => toLocalIds(format, typeName, one);
  if (Array.isArray(value)) return value.map(toLocal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toLocal(one)]));
}
