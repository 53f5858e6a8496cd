import { isGiven } from "./equality.ts";
import { parseOperator } from "./operators.ts";
import { allOf, anyOf, notOf } from "./predicates.ts";
import { createTest, type Test } from "./value_tests.ts";
import { keyOf } from "../names.ts";

/** The fields of an input object in a request, with their values. */
export type Entries = readonly (readonly [name: string, value: unknown])[];

/** The fields of an input object; none for other values. */
export function entriesOf(value: unknown): Entries {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** Whether a value is an input object, which may have operators. */
export function isOperators(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Creates the tests of an input object with operators, such as `{ gt: 1, lt: 5 }`; `not`, `and` and
 * `or` may contain further ones.
 *
 * @param onUnknown Called for a name that is not an operator.
 */
export function operatorTests(
  entries: Entries,
  onUnknown: (name: string) => void,
  isFolded = false,
): readonly Test[] {
  const isInsensitive = isFolded ||
    entries.some(([name, value]) => name === "mode" && /^insensitive$/i.test(String(value)));
  return entries.flatMap(([name, expected]): Test | readonly Test[] => {
    const key = keyOf(name);
    if (key === "mode") return [];
    const nested = Array.isArray(expected) ? expected : [expected];
    if ((key === "not" || key === "and" || key === "or") && nested.every(isOperators)) {
      const parts = nested.map((one) =>
        allOf(operatorTests(entriesOf(one), onUnknown, isInsensitive))
      );
      return key === "or" ? anyOf(parts) : allOf(key === "not" ? parts.map(notOf) : parts);
    }
    const operator = parseOperator(key);
    if (operator === undefined && isGiven(expected)) onUnknown(name);
    if (operator === undefined) return [];
    return createTest(
      { ...operator, isInsensitive: operator.isInsensitive || isInsensitive },
      expected,
    ) ??
      [];
  });
}
