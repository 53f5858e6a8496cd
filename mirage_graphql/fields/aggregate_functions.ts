import { compareValues, toText } from "../arguments/item.ts";

/** A function of the values of one attribute, without `null`. */
export type AggregateFunction = (values: readonly unknown[]) => unknown;

/**
 * The function with a name in any casing, such as `_avg` or `maximum`; `undefined` if there is
 * none. As in SQL, all functions except counts return `null` without values.
 *
 * @param key The name's words, joined.
 *
 * @example
 * ```ts
 * import { strictEqual } from "node:assert/strict";
 * import { aggregateFunction } from "./aggregate_functions.ts";
 *
 * strictEqual(aggregateFunction("sum")?.([1, "2"]), 3);
 * strictEqual(aggregateFunction("max")?.(["a", "b"]), "b");
 * ```
 */
export function aggregateFunction(key: string): AggregateFunction | undefined {
  return FUNCTIONS.get(key);
}

const count: AggregateFunction = (values) => values.length;
const distinct: AggregateFunction = (values) => [
  ...new Map(values.map((value) => [toText(value), value])).values(),
];
const distinctCount: AggregateFunction = (values) => new Set(values.map(toText)).size;
const average: AggregateFunction = (values) => {
  const numbers = numbersOf(values);
  return numbers.length === 0 ? null : total(numbers) / numbers.length;
};
const sum: AggregateFunction = (values) => {
  const numbers = numbersOf(values);
  return numbers.length === 0 ? null : total(numbers);
};
const least: AggregateFunction = (values) => extreme(values, -1);
const greatest: AggregateFunction = (values) => extreme(values, 1);

const FUNCTIONS: ReadonlyMap<string, AggregateFunction> = new Map([
  ["count", count],
  ["distinct", distinct],
  ["distinctcount", distinctCount],
  ["sum", sum],
  ["avg", average],
  ["average", average],
  ["mean", average],
  ["min", least],
  ["minimum", least],
  ["max", greatest],
  ["maximum", greatest],
]);

/** Numbers, and numeric texts, because scalars like `BigInt` are written as text. */
function numbersOf(values: readonly unknown[]): readonly number[] {
  return values.filter((value) => value !== "" && typeof value !== "boolean").map(Number)
    .filter((number) => !Number.isNaN(number));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function extreme(values: readonly unknown[], sign: 1 | -1): unknown {
  const [first = null, ...others] = values;
  return others.reduce(
    (found, value) => sign * compareValues(value, found) > 0 ? value : found,
    first,
  );
}
