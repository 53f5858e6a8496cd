import type {
  ComparisonName,
  Dialect,
  DirectionName,
  ListRules,
  Names,
  OperatorName,
  PageFactName,
  QuantifierName,
  Words,
} from "../dialects/dialect.ts";
import type { GraphQLInputType } from "graphql";
import { isComparison } from "../dialects/comparisons.ts";
import { keyOf } from "../shared/names.ts";
import { isObject } from "../shared/values.ts";

/** An operator of any API. */
export interface Operator {
  readonly comparison: ComparisonName;
  readonly isNegated: boolean;
  readonly isInsensitive: boolean;
}

/** How filters are combined. */
export type Logic = "and" | "or" | "not";

/**
 * What an argument specifies about the page; `position` is a cursor whose record is in the page.
 */
export type PageKey =
  | "first"
  | "last"
  | "after"
  | "before"
  | "limit"
  | "offset"
  | "page"
  | "position";

/** A direction, and where records without a value come; by default, they sort after all values. */
export interface SortDirection {
  readonly isDescending: boolean;
  readonly nulls?: "first" | "last";
}

/** What an argument specifies about the order. */
export type OrderRole = "key" | "direction" | "reverse";

/** An argument, or a field of an input object. */
interface NamedInput {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** How names that no dialect has are interpreted by the words in them. */
export interface ListGuesses {
  /** What an argument is about; `isNested` if its object is only about the page. */
  pageKey(words: ListWords, input: NamedInput, isNested: boolean): PageKey | undefined;
  orderRole(words: ListWords, input: NamedInput): OrderRole | undefined;
  /** The operator of a key from those of other keys, which `find` returns. */
  operator(key: string, find: (key: string) => Operator | undefined): Operator | undefined;
}

/** The names that some dialects have for the arguments of lists, each the same in any casing. */
export interface ListWords {
  /** Interprets names that no dialect has; `undefined` if no dialect has words. */
  readonly guesses: ListGuesses | undefined;
  /** Whether such names are interpreted. */
  readonly isGuessing: boolean;
  /** Whether a word means something, as `take` does in `words.limit`. */
  means(kind: keyof Words, word: string): boolean;
  /** What an argument is about, by its path. */
  pageKey(path: readonly string[]): PageKey | undefined;
  orderRole(path: readonly string[]): OrderRole | undefined;
  isFilter(name: string): boolean;
  logic(name: string): Logic | undefined;
  quantifier(name: string): QuantifierName | undefined;
  direction(name: string): SortDirection | undefined;
  /** What a name says that its aggregates are of: `posts` for `posts_aggregate`. */
  aggregated(name: string): string | undefined;
  /** What a field says about a page. */
  fact(name: string): PageFactName | undefined;
  /** The operator of a name, such as `_nilike`, `notContains`, `containsi` or `not_in`. */
  operator(name: string): Operator | undefined;
}

const PAGE_KEYS: readonly PageKey[] = [
  "first",
  "last",
  "after",
  "before",
  "limit",
  "offset",
  "page",
  "position",
];
const LOGIC: readonly Logic[] = ["and", "or", "not"];

const known = new WeakMap<readonly Dialect[], ListWords>();

/** A dialect with the code that interprets names by its words. */
interface GuessingDialect extends Dialect {
  readonly engine: { readonly guesses: ListGuesses };
}

function hasGuesses(dialect: Dialect): dialect is GuessingDialect {
  return dialect.words !== undefined && "engine" in dialect && isObject(dialect.engine) &&
    dialect.engine.guesses !== undefined;
}

/** The names of some dialects, of which the first that has one counts; the same each time. */
export function listWordsOf(dialects: readonly Dialect[]): ListWords {
  const words = known.get(dialects) ?? createListWords(dialects);
  known.set(dialects, words);
  return words;
}

function createListWords(dialects: readonly Dialect[]): ListWords {
  const lists = dialects.flatMap(({ list = {} }) => list);
  const filters = lists.flatMap(({ filter }) => filter ?? []);
  const orders = lists.flatMap(({ order }) => order ?? []);
  const guesses = dialects.find(hasGuesses)?.engine.guesses;

  const pages = tableOf<PageKey>(lists.flatMap((list) => pageNames(list)));
  const roles = tableOf<OrderRole>(orders.flatMap((order) => [
    ...named<OrderRole>(order.argument, "key"),
    ...named<OrderRole>(order.direction, "direction"),
    ...named<OrderRole>(order.reverse, "reverse"),
  ]));
  const logic = tableOf<Logic>(
    filters.flatMap((filter) => LOGIC.flatMap((word) => named(filter[word], word))),
  );
  const quantifiers = tableOf<QuantifierName>(
    filters.flatMap(({ related = {} }) =>
      typeof related === "string" ? [["", related]] : Object.entries(related)
    ),
  );
  const filterNames = new Set(filters.flatMap(({ argument }) => [argument].flat().map(keyOf)));
  const directions = tableOf<DirectionName>(
    orders.flatMap((order) => Object.entries(order.directions ?? {})),
  );
  const aggregates = dialects.flatMap(({ aggregate: { field = [] } = {} }) => [field].flat())
    .map(createSubjectFinder);
  const facts = tableOf<PageFactName>(
    lists.flatMap(({ facts = {} }) =>
      Object.entries(facts).map(([path, fact]) => [path.split(".").at(-1) ?? "", fact] as const)
    ),
  );
  const meanings = new Map<string, Set<string>>();
  for (const { words = {} } of dialects) {
    for (const [kind, text = ""] of Object.entries(words)) {
      meanings.set(kind, new Set([...meanings.get(kind) ?? [], ...text.split(" ")]));
    }
  }
  return {
    guesses,
    isGuessing: guesses !== undefined,
    means: (kind, word) => meanings.get(kind)?.has(word) ?? false,
    pageKey: (path) => pages.get(keyOfPath(path)),
    orderRole: (path) => roles.get(keyOfPath(path)),
    isFilter: (name) => filterNames.has(keyOf(name)),
    logic: (name) => logic.get(keyOf(name)),
    quantifier: (name) => quantifiers.get(keyOf(name)),
    direction: (name) => toDirection(directions.get(keyOf(name))),
    aggregated: (name) => aggregates.map((find) => find(name)).find((one) => one !== undefined),
    fact: (name) => facts.get(keyOf(name)),
    operator: createOperators(
      filters.flatMap(({ operators = {} }) => Object.entries(operators)),
      guesses,
    ),
  };
}

type Entry<Value> = readonly [name: string, value: Value];

/** The value of each name; of several, the first one counts. */
function tableOf<Value>(entries: readonly Entry<Value>[]): ReadonlyMap<string, Value> {
  return new Map(
    entries.map(([name, value]) => [keyOfPath(name.split(".")), value] as const).toReversed(),
  );
}

function keyOfPath(path: readonly string[]): string {
  return path.map(keyOf).join(".");
}

function named<Value>(names: Names = [], value: Value): Entry<Value>[] {
  return [names].flat().map((name) => [name, value]);
}

function pageNames(list: ListRules): Entry<PageKey>[] {
  return PAGE_KEYS.flatMap((key) => named(list[key], key));
}

/** What stands for the records in a name that a pattern has, such as `{records}_aggregate`. */
function createSubjectFinder(pattern: string): (name: string) => string | undefined {
  const [start = "", end = ""] = pattern.split(/\{\w+\}/);
  return (name) => {
    if (name.length <= start.length + end.length) return undefined;
    if (!name.startsWith(start) || !name.endsWith(end)) return undefined;
    return keyOf(name.slice(start.length, name.length - end.length));
  };
}

function toDirection(name: DirectionName | undefined): SortDirection | undefined {
  if (name === undefined) return undefined;
  const [direction, , nulls] = name.split(" ");
  const isDescending = direction === "desc";
  return nulls === "first" || nulls === "last" ? { isDescending, nulls } : { isDescending };
}

/** How many names are cached: some come from requests. */
const MAX_KNOWN = 1_000;

function createOperators(
  entries: readonly Entry<OperatorName>[],
  guesses: ListGuesses | undefined,
): ListWords["operator"] {
  const found = new Map<string, Operator | undefined>(
    Array.from(tableOf(entries), ([key, name]) => [key, toOperator(name)]),
  );
  const find = (key: string): Operator | undefined => {
    if (guesses === undefined || found.has(key)) return found.get(key);
    const operator = guesses.operator(key, find);
    if (found.size < MAX_KNOWN) found.set(key, operator);
    return operator;
  };
  return (name) => find(keyOf(name));
}

/** The operator of a name in a dialect, such as `not like ignoring case`. */
function toOperator(name: OperatorName): Operator {
  const text = name.replace(/^not /, "").replace(/ ignoring case$/, "");
  return {
    comparison: isComparison(text) ? text : "eq",
    isNegated: name.startsWith("not "),
    isInsensitive: name.endsWith(" ignoring case"),
  };
}
