import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** Throws unless something is as it must be; the message says what was there instead. */
export function expect(isTrue: boolean, what: string, found: unknown): asserts isTrue {
  if (!isTrue) throw new Error(`Cannot see ${what}: ${writeShort(found)}`);
}

const LONGEST = 400;

/** Writes a value, or an error with its causes, in a line that is not too long. */
export function writeShort(value: unknown): string {
  const text = value instanceof Error ? describe(value) : JSON.stringify(value) ?? `${value}`;
  return text.replaceAll("\n", "\\n").slice(0, LONGEST);
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error}; ${describe(error.cause)}` : String(error);
}

/** The first element of a list if it is an object, else an empty one. */
export function firstOf(value: unknown): JsonObject {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isJsonObject(first) ? first : {};
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
