import type { KnownRecords } from "./known_records.ts";

/** An operation from an API's documentation, and the response of a mock with state. */
export interface DocumentedOperation {
  readonly name: string;
  readonly query: string;
  readonly variables?: object | ((known: KnownRecords) => object);
  /** A query that is sent afterwards, and whose response is also checked. */
  readonly then?: string;
  /** What the data must contain; a function decides whether the value at its key is sensible. */
  readonly expected: unknown;
  /** What the data of `then` must contain. */
  readonly expectedThen?: unknown;
}

/** A small schema in the style of a family of APIs, with records and operations. */
export interface Family {
  readonly name: string;
  readonly schema: string;
  /** Records as a seed file of `serve` has them. */
  readonly seeds: Readonly<Record<string, readonly object[]>>;
  readonly operations: readonly DocumentedOperation[];
}

/** Whether a value contains what is expected; lists must have the same length. */
export function hasExpected(actual: unknown, expected: unknown): boolean {
  if (typeof expected === "function") return expected(actual) === true;
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length &&
      expected.every((item, index) => hasExpected(actual[index], item));
  }
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  const values = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(expected).every(([name, value]) => hasExpected(values.get(name), value));
}

/** Expects a text that is not empty. */
export function someText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Expects a list with 1 to `max` items, each of which contains `item`. */
export function listOf(item: unknown, max = 100): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= max &&
    value.every((one) => hasExpected(one, item));
}

/** Expects a number of at least 0. */
export function someCount(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}
