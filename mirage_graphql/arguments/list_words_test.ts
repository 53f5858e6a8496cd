import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { general } from "../mock/built_in_dialects.ts";
import { listWordsOf } from "./list_words.ts";

const { operator } = listWordsOf([general]);

/** Names of operators, and what they mean: a comparison, `!` if negated, `i` if cases are equal. */
const OPERATORS: Readonly<Record<string, string>> = {
  // Hasura
  _eq: "eq",
  _neq: "!eq",
  _gt: "gt",
  _gte: "gte",
  _lt: "lt",
  _lte: "lte",
  _in: "in",
  _nin: "!in",
  _like: "like",
  _nlike: "!like",
  _ilike: "like i",
  _nilike: "!like i",
  _similar: "like",
  _regex: "regex",
  _iregex: "regex i",
  _is_null: "null",
  // Prisma and Keystone
  equals: "eq",
  not: "!eq",
  notIn: "!in",
  not_in: "!in",
  contains: "contains",
  not_contains: "!contains",
  startsWith: "starts",
  not_starts_with: "!starts",
  endsWith: "ends",
  isSet: "!null",
  hasSome: "in",
  hasEvery: "all",
  isEmpty: "empty",
  // Amplify
  ne: "!eq",
  le: "lte",
  ge: "gte",
  beginsWith: "starts",
  between: "between",
  attributeExists: "!null",
  // Linear, Strapi and PostGraphile
  eqIgnoreCase: "eq i",
  containsIgnoreCase: "contains i",
  notContainsi: "!contains i",
  eqi: "eq i",
  notNull: "!null",
  equalTo: "eq",
  notEqualToInsensitive: "!eq i",
  greaterThanOrEqualTo: "gte",
  distinctFrom: "distinct",
  notDistinctFrom: "!distinct",
  // Dgraph and The Graph
  anyoftext: "anyword",
  alloftext: "allwords",
  contains_nocase: "contains i",
  not_starts_with_nocase: "!starts i",
};

for (const [name, meaning] of Object.entries(OPERATORS)) {
  Deno.test(`operator() of general takes "${name}" as "${meaning}"`, () => {
    const [sign = "", comparison = "", folded = ""] = /^(!?)(\w+)( i)?$/.exec(meaning)?.slice(1) ??
      [];
    const isNegated = sign === "!";
    deepStrictEqual(operator(name), {
      comparison,
      isNegated,
      isInsensitive: folded !== "",
    });
  });
}

for (const name of ["", "title", "author", "noted", "i", "n", "inside", "first"]) {
  Deno.test(`operator() of general knows no operator "${name}"`, () => {
    strictEqual(operator(name), undefined);
  });
}
