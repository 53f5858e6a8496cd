import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { addMoney, isMoney, type Share } from "./money.ts";

const EUR = { amount: "1.50", currencyCode: "EUR" };

const SUMS: readonly (readonly [string, readonly Share[], unknown])[] = [
  ["integers", [[100, 2], [50, 1]], 250],
  ["numbers with decimals", [[0.1, 3], [0.25, 1]], 0.55],
  ["decimals in texts", [["12.50", 2], ["3", 1]], "28.00"],
  ["less than nothing", [["1.00", 1], ["2.50", -1]], "-1.50"],
  ["no time", [["12.50", 0]], "0.00"],
  ["objects, in the currency of the first", [[EUR, 2], [{ ...EUR, currencyCode: "USD" }, 1]], {
    amount: "4.50",
    currencyCode: "EUR",
  }],
  [
    "objects with a tax, and the digits of a currency",
    [[{ currency: "JPY", gross: { amount: 6, fractionDigits: 0 }, tax: null }, 3]],
    { currency: "JPY", gross: { amount: 18, fractionDigits: 0 }, tax: null },
  ],
  ["nothing", [], undefined],
  ["no amount", [[1, 1], [null, 1]], undefined],
  ["a text and a number", [["1.00", 1], [1, 1]], undefined],
  ["words", [["quiet valley", 1]], undefined],
  ["an object without the amount", [[EUR, 1], [{ currencyCode: "EUR" }, 1]], undefined],
];

for (const [name, shares, sum] of SUMS) {
  Deno.test(`addMoney() of ${name}`, () => deepStrictEqual(addMoney(shares), sum));
}

const SCHEMA = buildSchema(`
  scalar Money
  scalar Decimal
  enum CurrencyCode { EUR }
  type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
  type SaleorMoney { currency: String! amount: Float! fractionalAmount: Int! fractionDigits: Int! }
  type TaxedMoney { currency: String! gross: SaleorMoney! net: SaleorMoney! tax: SaleorMoney! }
  type Formatted { amount: Float! text: String! }
  type Range { amount: [Float!]! currency: String! }
  type Nested { amount: Nested currency: String! }
  type Query { money: MoneyV2 taxed: TaxedMoney formatted: Formatted range: Range nested: Nested a: Money }
`);

for (
  const [typeName, expected] of [
    ...[["Int", true], ["Money", true], ["MoneyV2", true], ["TaxedMoney", true]] as const,
    ...[["Boolean", false], ["ID", false], ["CurrencyCode", false], ["Formatted", false]] as const,
    ...[["Range", false], ["Nested", false], ["Query", false]] as const,
  ]
) {
  Deno.test(`isMoney() of ${typeName} is ${expected}`, () => {
    strictEqual(isMoney(SCHEMA.getType(typeName)!), expected);
  });
}
