import {
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  isListType,
  isObjectType,
  isScalarType,
} from "graphql";

/** An amount of money, and how often it counts. */
export type Share = readonly [amount: unknown, times: number];

/** What an object says about its amount, which is not added up. */
const ABOUT = /currency|code|symbol|digits|decimals|precision|exponent|^__typename$/i;
/** The fields of an object that are amounts: in any unit, or with and without a tax. */
const AMOUNT = /^([a-z]*amount|value|gross|net|tax|cents|units|nanos)$/i;
/** As long as amounts are exact, and with no exponent. */
const DECIMAL = /^-?\d{1,15}(?:\.(\d{1,20}))?$/;

/**
 * Adds up amounts of money in the form of the first: a number, a decimal such as `"12.50"`, or an
 * object with such values, which keeps its currency. The result has as many decimals as the most
 * exact amount; `undefined` if a value is no amount, or there is none.
 *
 * @example
 * ```ts
 * import { deepStrictEqual, strictEqual } from "node:assert/strict";
 * import { addMoney } from "./money.ts";
 *
 * strictEqual(addMoney([[0.1, 3]]), 0.3);
 * strictEqual(addMoney([["12.50", 2], ["0.5", 1]]), "25.50");
 * deepStrictEqual(addMoney([[{ amount: 5, currency: "EUR" }, 2]]), { amount: 10, currency: "EUR" });
 * ```
 */
export function addMoney(shares: readonly Share[]): unknown {
  const [first] = shares[0] ?? [];
  if (isHolder(first)) {
    const values = Object.entries(first).map(([name, value]) => {
      if (ABOUT.test(name) || value === null) return [name, value] as const;
      return [
        name,
        addMoney(shares.map(([one, times]) => [isHolder(one) ? one[name] : undefined, times])),
      ];
    });
    if (values.some(([, value]) => value === undefined)) return undefined;
    return Object.fromEntries(values);
  }
  const found = shares.map(([amount]) =>
    typeof amount === typeof first ? DECIMAL.exec(String(amount)) : null
  );
  if (found.length === 0 || found.includes(null)) return undefined;
  const decimals = Math.max(...found.map((match) => match?.[1]?.length ?? 0));
  const sum = shares.reduce((total, [amount, times]) => total + Number(amount) * times, 0);
  return typeof first === "number" ? Number(sum.toFixed(decimals)) : sum.toFixed(decimals);
}

/**
 * Whether the values of a type can be amounts of money: a scalar, or an object with amounts and a
 * currency, such as `{ amount currencyCode }` and `{ gross { amount } net { amount } }`.
 */
export function isMoney(type: GraphQLNamedType): boolean {
  if (!isObjectType(type)) return isScalarType(type) && !/^(Boolean|ID)$/.test(type.name);
  const fields = Object.values(type.getFields());
  const amounts = fields.filter(({ name }) => AMOUNT.test(name) && !ABOUT.test(name));
  return amounts.length > 0 &&
    amounts.every((one) =>
      !isListType(getNullableType(one.type)) && getNamedType(one.type) !== type &&
      isMoney(getNamedType(one.type))
    ) && fields.every((one) => ABOUT.test(one.name) || amounts.includes(one));
}

/** Whether a value is an object with others. */
export function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
