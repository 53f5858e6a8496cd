import { toText } from "./equality.ts";
import { isGiven } from "../shared/values.ts";

/**
 * Compares two values as databases do: numbers by size, `false` before `true`, dates by time, and
 * texts by code unit. A number and a numeric text are compared as numbers, because scalars like
 * `BigInt` are written as text.
 *
 * @returns A negative number, 0, or a positive number.
 */
export function compareValues(one: unknown, other: unknown): number {
  const [left, right] = [comparable(one), comparable(other)];
  if (typeof left === typeof right) return left < right ? -1 : left > right ? 1 : 0;
  const [leftNumber, rightNumber] = [Number(left), Number(right)];
  if (Number.isNaN(leftNumber) || Number.isNaN(rightNumber)) {
    return compareValues(String(left), String(right));
  }
  return leftNumber - rightNumber;
}

function comparable(value: unknown): number | string | boolean | bigint {
  switch (typeof value) {
    case "number":
    case "string":
    case "boolean":
    case "bigint":
      return value;
    default:
      return toText(value);
  }
}

/** Compares one record with another. */
export type Compare = (one: unknown, other: unknown) => number;

/**
 * How to sort by one key; records without a value come last in ascending and first in descending
 * order.
 */
export function compareBy(
  { isDescending, nulls = isDescending ? "first" : "last" }: {
    readonly isDescending: boolean;
    readonly nulls?: "first" | "last" | undefined;
  },
): Compare {
  const ofNull = nulls === "first" ? -1 : 1;
  const sign = isDescending ? -1 : 1;
  return (one, other) => {
    const [isOne, isOther] = [!isGiven(one), !isGiven(other)];
    if (isOne || isOther) return isOne && isOther ? 0 : isOne ? ofNull : -ofNull;
    return sign * compareValues(one, other);
  };
}
