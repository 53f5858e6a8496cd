import type { ComparisonName } from "../dialects/dialect.ts";
import { keyOf } from "../shared/names.ts";
import { isGiven, isMap, isObject } from "../shared/values.ts";
import { compareValues, equalTo, toText } from "./item.ts";
import type { ListWords, Operator } from "./list_words.ts";

/** Whether an item matches; `undefined` if that is unknown, as with `null` in SQL. */
export type Predicate<Item> = (item: Item) => boolean | undefined;

/** Matches if all parts do: `false` takes precedence, then unknown. */
export function allOf<Item>(parts: readonly Predicate<Item>[]): Predicate<Item> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return (item) => {
    let result: boolean | undefined = true;
    for (const part of parts) {
      const fits = part(item);
      if (fits === false) return false;
      if (fits === undefined) result = undefined;
    }
    return result;
  };
}

/**
 * Matches if one of the parts does: `true` takes precedence, then unknown. Without parts, nothing
 * matches.
 */
export function anyOf<Item>(parts: readonly Predicate<Item>[]): Predicate<Item> {
  return (item) => {
    let result: boolean | undefined = false;
    for (const part of parts) {
      const fits = part(item);
      if (fits === true) return true;
      if (fits === undefined) result = undefined;
    }
    return result;
  };
}

/** Matches if the part doesn't; unknown stays unknown. */
export function notOf<Item>(part: Predicate<Item>): Predicate<Item> {
  return (item) => {
    const fits = part(item);
    return fits === undefined ? undefined : !fits;
  };
}

/** Whether a value of a record matches; `undefined` if that is unknown, because it is `null`. */
export type Test = (value: unknown) => boolean | undefined;

/**
 * Creates the test for an operator and its operand; `undefined` if it doesn't restrict anything. As
 * in SQL, the result for `null` is unknown unless the operator is about `null`.
 */
export function createTest(operator: Operator, expected: unknown): Test | undefined {
  const { comparison, isNegated, isInsensitive } = operator;
  switch (comparison) {
    case "null":
      return nullTest((expected !== false && expected !== "NOT_NULL") !== isNegated);
    case "distinct":
      return (value) => isSame(value, expected) === isNegated;
    case "empty":
      return known((value) => isEmpty(value) === ((expected === true) !== isNegated));
    case "eq":
      // `{ is: NOT_NULL }`, which is an enum value; a text of that kind is unlikely
      if (expected === "NOT_NULL") return nullTest(isNegated);
      if (isNull(expected) || expected === "NULL") return nullTest(!isNegated);
  }
  if (isNull(expected)) return undefined;
  const compare = createComparison(comparison, expected, { isInsensitive });
  return known((value) => compare(value) !== isNegated);
}

/** A test whose result for `null` is unknown. */
function known(test: (value: unknown) => boolean): Test {
  return (value) => isNull(value) ? undefined : test(value);
}

function nullTest(isWanted: boolean): Test {
  return (value) => isNull(value) === isWanted;
}

function isNull(value: unknown): boolean {
  return !isGiven(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return isNull(one) || isNull(other)
    ? isNull(one) && isNull(other)
    : toText(one) === toText(other);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === "";
}

type Comparing = (value: unknown) => boolean;

/** Comparisons that need a value on both sides. */
type ValueComparison = Exclude<ComparisonName, "null" | "distinct" | "empty">;

/** Comparisons that depend on the case of letters. */
type FoldedComparison = Exclude<
  ValueComparison,
  "lt" | "lte" | "gt" | "gte" | "between" | "like" | "regex"
>;

function createComparison(
  comparison: ValueComparison,
  expected: unknown,
  { isInsensitive }: Pick<Operator, "isInsensitive">,
): Comparing {
  switch (comparison) {
    case "lt":
      return (value) => compareValues(value, expected) < 0;
    case "lte":
      return (value) => compareValues(value, expected) <= 0;
    case "gt":
      return (value) => compareValues(value, expected) > 0;
    case "gte":
      return (value) => compareValues(value, expected) >= 0;
    case "between": {
      const [from, to] = boundsOf(expected);
      return (value) =>
        (isNull(from) || compareValues(value, from) >= 0) &&
        (isNull(to) || compareValues(value, to) <= 0);
    }
    case "like":
      return someText(likePattern(toText(expected), isInsensitive));
    case "regex":
      return someText(regexPattern(toText(expected), isInsensitive));
    case "eq":
    case "in":
    case "contains":
    case "starts":
    case "ends":
    case "all":
    case "anyword":
    case "allwords":
      return foldedComparison(comparison, isInsensitive ? foldCase : toText, expected);
    default:
      return comparison satisfies never;
  }
}

function foldCase(value: unknown): string {
  return toText(value).toLowerCase();
}

/** Compares texts; a list of values matches if one of them does. */
function foldedComparison(
  comparison: FoldedComparison,
  fold: (value: unknown) => string,
  expected: unknown,
): Comparing {
  const expectedTexts = listOf(expected).filter((one) => !isNull(one)).map(fold);
  const [text = ""] = expectedTexts;
  switch (comparison) {
    case "all":
      return (value) => {
        const held = new Set(listOf(value).map(fold));
        return expectedTexts.every((one) => held.has(one));
      };
    case "contains":
      return (value) =>
        Array.isArray(value)
          ? expectedTexts.every((one) => value.some((held) => fold(held) === one))
          : fold(value).includes(text);
    case "starts":
      return (value) => listOf(value).some((one) => fold(one).startsWith(text));
    case "ends":
      return (value) => listOf(value).some((one) => fold(one).endsWith(text));
    case "anyword":
    case "allwords":
      return wordComparison(comparison, text);
    case "eq":
    case "in":
      return equalTo(expected, fold);
    default:
      return comparison satisfies never;
  }
}

/** Finds words of a text in any order; their case and an English plural make no difference. */
function wordComparison(comparison: "anyword" | "allwords", expected: string): Comparing {
  const wordsIn = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf);
  const words = wordsIn(expected);
  return (value) => {
    const held = new Set(wordsIn(listOf(value).map(toText).join(" ")));
    const isHeld = (word: string) => held.has(word);
    return comparison === "anyword" ? words.some(isHeld) : words.every(isHeld);
  };
}

/** A word without the ending of an English plural, for texts; names are compared by the inflector. */
function stemOf(word: string): string {
  if (/(ss|us|is)$/.test(word)) return word;
  return word.replace(/ies$/, "y").replace(/(?<=ch|sh|x|ss|z)es$|s$/, "");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Both ends of a range: a list of two, or an object such as `{ start, end }`. */
function boundsOf(expected: unknown): readonly unknown[] {
  if (Array.isArray(expected) || typeof expected !== "object" || expected === null) {
    return listOf(expected);
  }
  const entries = Object.entries(expected);
  const find = (names: RegExp) => entries.find(([name]) => names.test(name))?.[1];
  return [find(/^(start|from|min|gte?|lower)$/i), find(/^(end|to|max|lte?|upper)$/i)];
}

function someText(fits: (text: string) => boolean): Comparing {
  return (value) => listOf(value).some((one) => fits(toText(one)));
}

/** A pattern of SQL: `%` is any text, `_` one character, and a backslash makes both literal. */
function likePattern(pattern: string, isInsensitive: boolean): (text: string) => boolean {
  const source = pattern.replaceAll(/\\?[\s\S]/gu, (part) => {
    if (part === "%") return "[^]*";
    if (part === "_") return "[^]";
    const literal = part.length > 1 && part.startsWith("\\") ? part.slice(1) : part;
    return literal.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  });
  const regex = new RegExp(`^${source}$`, isInsensitive ? "iu" : "u");
  return (text) => regex.test(text);
}

/** A pattern that JavaScript can't parse is searched for literally. */
function regexPattern(pattern: string, isInsensitive: boolean): (text: string) => boolean {
  try {
    const regex = new RegExp(pattern, isInsensitive ? "i" : "");
    return (text) => regex.test(text);
  } catch {
    return (text) => text.includes(pattern);
  }
}

/** The fields of an input object in a request, with their values. */
export type Entries = readonly (readonly [name: string, value: unknown])[];

/** The fields of an input object; none for other values. */
export function entriesOf(value: unknown): Entries {
  return isObject(value) ? Object.entries(value) : [];
}

/**
 * Creates the tests of an input object with operators, such as `{ gt: 1, lt: 5 }`; `not`, `and` and
 * `or` may contain further ones.
 *
 * @param onUnknown Called for a name that is not an operator.
 */
export function operatorTests(
  words: ListWords,
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
    if ((key === "not" || key === "and" || key === "or") && nested.every(isMap)) {
      const parts = nested.map((one) =>
        allOf(operatorTests(words, entriesOf(one), onUnknown, isInsensitive))
      );
      return key === "or" ? anyOf(parts) : allOf(key === "not" ? parts.map(notOf) : parts);
    }
    const operator = words.operator(key);
    if (operator === undefined && isGiven(expected)) onUnknown(name);
    if (operator === undefined) return [];
    return createTest(
      { ...operator, isInsensitive: operator.isInsensitive || isInsensitive },
      expected,
    ) ??
      [];
  });
}
