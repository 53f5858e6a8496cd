/** The text to compare by: 1 equals "1"; dates and objects are compared as JSON. */
export function toText(value: unknown): string {
  if (value instanceof Date) return value.toJSON();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Tests whether a value is the expected one, or one of them if that is a list; a list is if one of
 * its values is. As in SQL, `null` equals nothing.
 *
 * @param fold The text by which values are compared.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { equalTo } from "./equality.ts";
 *
 * deepStrictEqual([1, "1", ["2", "1"], 2, null].map(equalTo("1")), [true, true, true, false, false]);
 * ```
 */
export function equalTo(
  expected: unknown,
  fold: (value: unknown) => string = toText,
): (value: unknown) => boolean {
  const texts = new Set(
    (Array.isArray(expected) ? expected : [expected]).filter(isGiven).map(fold),
  );
  const [only] = texts;
  const isText = texts.size === 1
    ? (text: string) => text === only
    : (text: string) => texts.has(text);
  const isEqual = (value: unknown) => isGiven(value) && isText(fold(value));
  return (value) => Array.isArray(value) ? value.some(isEqual) : isEqual(value);
}

/** Whether there is a value: neither `null` nor nothing. */
export function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}
