import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { aggregateFunction } from "./aggregate_functions.ts";
import { keyOf } from "../shared/names.ts";

const VALUES: readonly [name: string, values: readonly unknown[], result: unknown][] = [
  ["count", [1, 1], 2],
  ["count", [], 0],
  ["distinctCount", [1, "1", 2], 2],
  ["distinct", ["b", "a", "b"], ["b", "a"]],
  ["sum", [1, 2.5], 3.5],
  ["sum", ["10", 1], 11],
  ["sum", [], null],
  ["sum", ["a", true, ""], null],
  ["_avg", [1, 2], 1.5],
  ["average", [], null],
  ["min", [10, 9], 9],
  ["max", ["10", "9"], "9"],
  ["max", [10, "9"], 10],
  ["maximum", ["2024-01-02", "2024-01-10"], "2024-01-10"],
  ["min", [false, true], false],
  ["min", [], null],
];

for (const [name, values, result] of VALUES) {
  Deno.test(`aggregateFunction("${name}") of ${JSON.stringify(values)} is ${result}`, () => {
    deepStrictEqual(aggregateFunction(keyOf(name))?.(values), result);
  });
}

Deno.test("aggregateFunction() knows no other function", () => {
  for (const key of ["", "total", "stddev", "constructor"]) {
    strictEqual(aggregateFunction(key), undefined);
  }
});
