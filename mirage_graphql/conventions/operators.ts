/** What an operator compares, apart from its negation and its case. */
export type Comparison =
  | "eq"
  | "in"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "contains"
  | "anyword"
  | "allwords"
  | "starts"
  | "ends"
  | "like"
  | "regex"
  | "between"
  | "all"
  | "null"
  | "distinct"
  | "empty";

/** An operator of any API. */
export interface Operator {
  readonly comparison: Comparison;
  readonly isNegated: boolean;
  readonly isInsensitive: boolean;
}

/** The names of each comparison in all APIs; negation and case are added before or after them. */
const NAMES_BY_COMPARISON: Readonly<Record<Comparison, string>> = {
  eq: "eq equal equals equalto is exact exactly isequalto matchesexactly",
  in: "in anyof oneof isin hassome hasany overlaps containsany includesany isanyof inlist",
  lt: "lt less lessthan islessthan before isbefore below under smaller",
  lte: "lte le lessthanorequal lessthanorequalto lessthanorequals atmost max to until onorbefore",
  gt: "gt greater greaterthan isgreaterthan after isafter above over morethan",
  gte:
    "gte ge greaterthanorequal greaterthanorequalto greaterthanorequals atleast min from since " +
    "onorafter",
  anyword: "anyoftext anyofterms anywords",
  allwords: "alloftext allofterms allwords",
  contains: "contains contain includes include has substring search text containstext",
  starts: "startswith startwith beginswith beginwith hasprefix prefix starts begins",
  ends: "endswith endwith hassuffix suffix ends",
  like: "like similar",
  regex: "regex regexp matches match glob",
  between: "between inrange range",
  all: "hasevery containsall includesall hasall allof",
  null: "null isnull notexists attributenotexists isnil missing",
  distinct: "distinctfrom isdistinctfrom",
  empty: "isempty empty",
};

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map(
  Object.entries(NAMES_BY_COMPARISON).flatMap(([comparison, names]) =>
    names.split(" ").map((name) => [name, comparison as Comparison] as const)
  ),
);

/** Words that negate a comparison without looking like it. */
const NEGATIONS: ReadonlyMap<string, Comparison> = new Map([
  ["ne", "eq"],
  ["not", "eq"],
  ["isnot", "eq"],
  ["exists", "null"],
  ["exist", "null"],
  ["isset", "null"],
  ["attributeexists", "null"],
  ["isnotnull", "null"],
]);

/**
 * Parses the name of an operator in any API, such as `_nilike`, `notContains`, `containsi` or
 * `not_in`; `undefined` if it is not an operator.
 *
 * @param key The name's words, joined: `notcontains`.
 */
export function parseOperator(key: string): Operator | undefined {
  const known = parsed.get(key);
  if (known !== undefined || parsed.has(key)) return known;
  const operator = findOperator(key);
  if (parsed.size < MAX_PARSED) parsed.set(key, operator);
  return operator;
}

const MAX_PARSED = 1_000;
const parsed = new Map<string, Operator | undefined>();

function findOperator(key: string): Operator | undefined {
  const comparison = COMPARISONS.get(key);
  if (comparison !== undefined) return plain(comparison, false);
  const negated = NEGATIONS.get(key);
  if (negated !== undefined) return plain(negated, true);
  for (const [pattern, change] of VARIATIONS) {
    const rest = key.replace(pattern, "");
    const found = rest !== key && rest !== "" ? findOperator(rest) : undefined;
    if (found !== undefined && found.comparison !== "null") return change(found);
    if (found !== undefined && change === negate) return negate(found);
  }
  return undefined;
}

const plain = (comparison: Comparison, isNegated: boolean): Operator => ({
  comparison,
  isNegated,
  isInsensitive: false,
});
const negate = (operator: Operator): Operator => ({ ...operator, isNegated: !operator.isNegated });
const ignoreCase = (operator: Operator): Operator => ({ ...operator, isInsensitive: true });

const VARIATIONS: readonly (readonly [RegExp, (operator: Operator) => Operator])[] = [
  [/(insensitive|ignorecase|nocase|ci)$/, ignoreCase],
  [/^(doesnot|isnot|not|no|n)/, negate],
  [/i$/, ignoreCase],
  [/^i/, ignoreCase],
];
