import { compareValues, isEqual, toText } from "./compare_values.ts";
import type { Operator } from "./operators.ts";
import { singularOf } from "./words.ts";

/** Whether a value of a record matches; `undefined` if that is unknown, because it is `null`. */
export type Test = (value: unknown) => boolean | undefined;

/**
 * Creates the test for an operator and its operand; `undefined` if it doesn't restrict anything. As
 * in SQL, the result for `null` is unknown unless the operator is about `null`.
 */
export function createTest(operator: Operator, wanted: unknown): Test | undefined {
  const { comparison, isNegated } = operator;
  switch (comparison) {
    case "null":
      return nullTest((wanted !== false && wanted !== "NOT_NULL") !== isNegated);
    case "distinct":
      return (value) => isSame(value, wanted) === isNegated;
    case "empty":
      return known((value) => isEmpty(value) === ((wanted === true) !== isNegated));
    case "eq":
      // `{ is: NOT_NULL }`, which is an enum value; a text of that kind is unlikely
      if (wanted === "NOT_NULL") return nullTest(isNegated);
      if (isNull(wanted)) return nullTest(!isNegated);
  }
  if (isNull(wanted)) return undefined;
  const compare = createComparison(operator, wanted);
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
  return value === null || value === undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return isNull(one) || isNull(other) ? isNull(one) && isNull(other) : isEqual(one, other);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === "";
}

type Comparing = (value: unknown) => boolean;

function createComparison({ comparison, isInsensitive }: Operator, wanted: unknown): Comparing {
  switch (comparison) {
    case "lt":
      return (value) => compareValues(value, wanted) < 0;
    case "lte":
      return (value) => compareValues(value, wanted) <= 0;
    case "gt":
      return (value) => compareValues(value, wanted) > 0;
    case "gte":
      return (value) => compareValues(value, wanted) >= 0;
    case "between": {
      const [from, to] = boundsOf(wanted);
      return (value) =>
        (isNull(from) || compareValues(value, from) >= 0) &&
        (isNull(to) || compareValues(value, to) <= 0);
    }
    case "like":
      return someText(likePattern(toText(wanted), isInsensitive));
    case "regex":
      return someText(regexPattern(toText(wanted), isInsensitive));
    default:
      return foldedComparison(comparison, isInsensitive ? foldCase : toText, wanted);
  }
}

function foldCase(value: unknown): string {
  return toText(value).toLowerCase();
}

/** Comparisons that depend on the case of letters; a list of values matches if one of them does. */
function foldedComparison(
  comparison: Operator["comparison"],
  fold: (value: unknown) => string,
  wanted: unknown,
): Comparing {
  const wantedTexts = listOf(wanted).filter((one) => !isNull(one)).map(fold);
  const [text = ""] = wantedTexts;
  switch (comparison) {
    case "all":
      return (value) => {
        const held = new Set(listOf(value).map(fold));
        return wantedTexts.every((one) => held.has(one));
      };
    case "contains":
      return (value) =>
        Array.isArray(value)
          ? wantedTexts.every((one) => value.some((held) => fold(held) === one))
          : fold(value).includes(text);
    case "starts":
      return (value) => listOf(value).some((one) => fold(one).startsWith(text));
    case "ends":
      return (value) => listOf(value).some((one) => fold(one).endsWith(text));
    case "anyword":
    case "allwords":
      return wordComparison(comparison, text);
    default: {
      const texts = new Set(wantedTexts);
      return (value) => listOf(value).some((one) => texts.has(fold(one)));
    }
  }
}

/** Finds words of a text in any order; their case and an English plural make no difference. */
function wordComparison(comparison: "anyword" | "allwords", wanted: string): Comparing {
  const wordsIn = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(singularOf);
  const words = wordsIn(wanted);
  return (value) => {
    const held = new Set(wordsIn(listOf(value).map(toText).join(" ")));
    const isHeld = (word: string) => held.has(word);
    return comparison === "anyword" ? words.some(isHeld) : words.every(isHeld);
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Both ends of a range: a list of two, or an object such as `{ start, end }`. */
function boundsOf(wanted: unknown): readonly unknown[] {
  if (Array.isArray(wanted) || typeof wanted !== "object" || wanted === null) return listOf(wanted);
  const entries = Object.entries(wanted);
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
