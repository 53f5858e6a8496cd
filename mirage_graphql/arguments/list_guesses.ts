import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
} from "graphql";
import { wordsOf } from "../shared/names.ts";
import type { ListGuesses, ListWords, Operator, OrderRole, PageKey } from "./list_words.ts";
import { NUMBER } from "./paging.ts";
import type { InputValue } from "../schema/types.ts";
import { directionOf } from "./sort_key.ts";

/** Interprets the arguments of lists by the words in their names. */
export const LIST_GUESSES: ListGuesses = { pageKey, orderRole, operator };

function pageKey(
  words: ListWords,
  { name, type }: InputValue,
  isNested: boolean,
): PageKey | undefined {
  const named = getNamedType(type);
  const own = wordsOf(name);
  const [first = ""] = own;
  if (isInputObjectType(named)) return isUniqueCursor(own) ? "position" : undefined;
  if (NUMBER.test(named.name)) return numberKeyOf(words, own, isNested);
  if (own.length === 1 && (first === "after" || first === "before")) return first;
  const isCursor = own.includes("cursor") ||
    own.includes("token") && own.some((word) => word === "next" || word === "page");
  if (!isCursor) return undefined;
  return own.some((word) => /^(before|prev|previous)$/.test(word)) ? "before" : "after";
}

function numberKeyOf(
  words: ListWords,
  own: readonly string[],
  isNested: boolean,
): PageKey | undefined {
  const [first = ""] = own;
  const isOnly = own.length === 1;
  if (isOnly && (first === "first" || first === "last")) return first;
  if (isOnly && words.means("offset", first)) return "offset";
  if (isOnly && words.means("limit", first)) return "limit";
  if (isOnly && isNested && (first === "number" || first === "current")) return "page";
  if (!own.every((word) => words.means("page", word))) return undefined;
  if (own.includes("offset")) return "offset";
  if (own.some((word) => words.means("limit", word))) return "limit";
  return own.includes("page") ? "page" : undefined;
}

/** Prisma's `cursor: { id: 3 }`. */
function isUniqueCursor(words: readonly string[]): boolean {
  return words.length === 1 && words[0] === "cursor";
}

function orderRole(words: ListWords, { name, type }: InputValue): OrderRole | undefined {
  const named = getNamedType(type);
  const own = wordsOf(name);
  if (named.name === "Boolean") {
    const isReverse = own.length <= 2 && own.some((word) => words.means("reverse", word));
    return isReverse ? "reverse" : undefined;
  }
  if (isDirectionType(words, type) || own.includes("direction") && isLeafType(named)) {
    return "direction";
  }
  // `orderId` is about a record
  const isNamed = named.name !== "ID" && own.some((word) => words.means("order", word));
  return isNamed && (isLeafType(named) || isInputObjectType(named)) ? "key" : undefined;
}

/** Whether a type has only directions: `ASC` and `DESC`, in any words. */
function isDirectionType(words: ListWords, type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isEnumType(named) && !isListType(getNullableType(type)) &&
    named.getValues().every(({ name }) => directionOf(words, name) !== undefined);
}

/** Guesses of names around that of an operator: `_nilike` is `like` in another casing, negated. */
const VARIATIONS: readonly (readonly [RegExp, (operator: Operator) => Operator])[] = [
  [/(insensitive|ignorecase|nocase|ci)$/, ignoreCase],
  [/^(doesnot|isnot|not|no|n)/, negate],
  [/i$/, ignoreCase],
  [/^i/, ignoreCase],
];

function operator(
  key: string,
  find: (key: string) => Operator | undefined,
): Operator | undefined {
  for (const [pattern, change] of VARIATIONS) {
    const rest = key.replace(pattern, "");
    const base = rest !== key && rest !== "" ? find(rest) : undefined;
    if (base === undefined) continue;
    if (base.comparison !== "null" || change === negate) return change(base);
  }
  return undefined;
}

function negate(operator: Operator): Operator {
  return { ...operator, isNegated: !operator.isNegated };
}

function ignoreCase(operator: Operator): Operator {
  return { ...operator, isInsensitive: true };
}
