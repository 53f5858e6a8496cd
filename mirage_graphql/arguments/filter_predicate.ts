import type { Item, MemberReader } from "./item.ts";
import {
  createFilterShape,
  EQUAL,
  type FilterShape,
  type ModifiedFields,
  quantifierOf,
  type Rule,
} from "./filter_shape.ts";
import { isGiven, isMap, isObject } from "../shared/values.ts";
import { createSearch, hasPredicate } from "./target_predicates.ts";
import {
  allOf,
  anyOf,
  createTest,
  type Entries,
  entriesOf,
  notOf,
  operatorTests,
  type Predicate,
  type Test,
} from "./value_predicates.ts";
import type { Member, Target } from "./targets.ts";
import type { QuantifierName } from "../dialects/dialect.ts";
import { keyOf } from "../shared/names.ts";
import type { ListWords, Logic, Operator } from "./list_words.ts";

/** What filters are created with. */
export interface FilterContext {
  readonly reader: MemberReader;
  readonly words: ListWords;
  /** Called for a field that matches no rule. */
  readonly onUnknown: (name: string) => void;
  /** Converts the ids in a request to those of the records of a type. */
  readonly toLocalIds: (typeName: string, ids: unknown) => unknown;
}

/**
 * Creates the predicate for a value of a filter's input type; an empty object matches everything.
 */
export function createPredicate(
  context: FilterContext,
  shape: FilterShape,
  value: unknown,
): Predicate<Item> {
  const values = Array.isArray(value) ? value : [value];
  return allOf(
    values.flatMap(entriesOf).map(([name, expected]) => {
      const rule = shape.rule(name);
      if (rule !== undefined) {
        return createRulePredicate(context, { rule, expected, target: shape.target });
      }
      if (isGiven(expected)) context.onUnknown(name);
      return () => true;
    }),
  );
}

/** A rule, and the value that it has in a request. */
export interface RuleValue {
  readonly rule: Rule;
  readonly expected: unknown;
  readonly target: Target;
}

/** Creates the predicate for one field of a filter. */
export function createRulePredicate(
  context: FilterContext,
  { rule, expected, target }: RuleValue,
): Predicate<Item> {
  switch (rule.kind) {
    case "logic":
      return logicPredicate(context, rule, expected);
    case "value":
      return rule.member.kind === "relation"
        ? keyPredicate(context, rule, expected)
        : valuePredicate(context, rule.member, {
          expected,
          toTest: (value) => createTest(rule.operator, value),
        });
    case "operators":
      return valuePredicate(context, rule.member, {
        expected,
        toTest: (value) => allOf(operatorTests(context.words, entriesOf(value), context.onUnknown)),
      });
    case "relation":
      return relationPredicate(context, rule, expected);
    case "modified":
      return modifiedPredicate(context, rule, expected);
    case "aggregate":
      return aggregatePredicate(context, rule, expected);
    case "search":
      return typeof expected === "string"
        ? createSearch(context.reader, target, expected)
        : () => true;
    case "has":
      return hasPredicate(context.reader, target, expected);
  }
}

function logicPredicate(
  context: FilterContext,
  { word, shape }: { readonly word: Logic; readonly shape: FilterShape },
  expected: unknown,
): Predicate<Item> {
  if (!isGiven(expected)) return () => true;
  const values = Array.isArray(expected) ? expected : [expected];
  const parts = values.map((value) => createPredicate(context, shape, value));
  if (word === "or") return anyOf(parts);
  // `NOT` with a list excludes what matches one of them, as in Prisma
  return word === "not" ? allOf(parts.map(notOf)) : allOf(parts);
}

interface RelationRule {
  readonly member: Member;
  readonly quantifier: QuantifierName;
  readonly shape: FilterShape;
}

/** Filters by related records; as in SQL, whether one matches is never unknown. */
function relationPredicate(
  context: FilterContext,
  { member, quantifier, shape }: RelationRule,
  expected: unknown,
): Predicate<Item> {
  const { related } = context.reader;
  if (!isGiven(expected)) {
    if (member.isList) return () => true;
    return (item) => (related(item, member).length === 0) === (quantifier !== "is not");
  }
  const entries = entriesOf(expected);
  const isQuantified = ([name]: Entries[number]) => ownQuantifier(shape, name) !== undefined;
  const quantified = entries.filter(isQuantified).map(([name, value]) => {
    const type = shape.typeOf(name);
    const rule = {
      member,
      quantifier: ownQuantifier(shape, name) ?? quantifier,
      shape: type ? createFilterShape(type, shape.target) : shape,
    };
    return relationPredicate(context, rule, value);
  });
  const rest = entries.filter((entry) => !isQuantified(entry));
  const counts = rest.filter(([name]) => isAboutNumber(shape, name));
  const plain = rest.filter(([name]) => !isAboutNumber(shape, name));
  const parts = [...quantified, ...counts.map((entry) => numberPredicate(context, member, entry))];
  if (plain.length === 0 && parts.length > 0) return allOf(parts);
  const fits = createPredicate(context, shape, Object.fromEntries(plain));
  return allOf([...parts, quantify(quantifier, (item) => related(item, member), fits)]);
}

/** `some` of `posts: { some: {...} }`, unless the related records have a member of that name. */
function ownQuantifier(shape: FilterShape, name: string): QuantifierName | undefined {
  return shape.target.find(keyOf(name)) === undefined && name !== ""
    ? quantifierOf(shape.target, name)
    : undefined;
}

function quantify(
  quantifier: QuantifierName,
  related: (item: Item) => readonly Item[],
  fits: Predicate<Item>,
): Predicate<Item> {
  const isFit = (item: Item) => fits(item) === true;
  switch (quantifier) {
    case "some":
      return (item) => related(item).some(isFit);
    case "every":
      return (item) => related(item).every(isFit);
    default:
      return (item) => !related(item).some(isFit);
  }
}

/** Whether a field is about how many related records there are: `null`, `exists`, `length`. */
function isAboutNumber(shape: FilterShape, name: string): boolean {
  return shape.rule(name) === undefined &&
    /^(null|isnull|exists|length|count|size)$/.test(keyOf(name));
}

function numberPredicate(
  context: FilterContext,
  member: Member,
  [name, expected]: Entries[number],
): Predicate<Item> {
  if (!isGiven(expected)) return () => true;
  const count = (item: Item) => context.reader.related(item, member).length;
  if (typeof expected === "boolean") {
    return (item) => (count(item) > 0) === (expected === (keyOf(name) === "exists"));
  }
  return testCount(count, countTests(context, expected));
}

function countTests(
  { words, onUnknown }: FilterContext,
  expected: unknown,
): readonly Test[] {
  if (isMap(expected)) return operatorTests(words, entriesOf(expected), onUnknown);
  return [createTest(EQUAL, expected) ?? []].flat();
}

function testCount(
  count: (item: Item) => number,
  tests: readonly Test[],
): Predicate<Item> {
  return allOf(tests.map((test) => (item: Item) => test(count(item))));
}

/** Filters by the number of related records, or of those that match a filter next to it. */
function aggregatePredicate(
  context: FilterContext,
  { member, shape }: Pick<RelationRule, "member" | "shape">,
  expected: unknown,
): Predicate<Item> {
  return allOf(
    entriesOf(expected).filter(([, value]) => isGiven(value)).map(([name, value]) => {
      const type = shape.typeOf(name);
      if (keyOf(name) !== "count" || type === undefined) {
        context.onUnknown(name);
        return () => true;
      }
      const { predicate, filter, arguments: _columns, distinct: _distinct, ...operators } = Object
        .fromEntries(entriesOf(value));
      const inner = createFilterShape(type, shape.target);
      const filterType = inner.typeOf("filter");
      const fits = filterType === undefined
        ? () => true
        : createPredicate(context, createFilterShape(filterType, shape.target), filter);
      const count = (item: Item) =>
        context.reader.related(item, member).filter((one) => fits(one) === true).length;
      return testCount(
        count,
        countTests(context, predicate ?? (isMap(value) ? operators : value)),
      );
    }),
  );
}

/** What a request expects of a value, and how to test it. */
interface Criterion {
  readonly expected: unknown;
  readonly toTest: (expected: unknown) => Test | undefined;
}

/** Creates the predicate for the value of a member. */
function valuePredicate(
  context: FilterContext,
  member: Member,
  criterion: Criterion,
): Predicate<Item> {
  const { reader } = context;
  const testOf = createTestOf(context, criterion);
  return (item) => {
    const test = testOf(item, member);
    return test === undefined ? true : test(reader.value(item, member));
  };
}

/** Tests for ids depend on the type of the records, because global ids contain it. */
function createTestOf(
  { reader: { typeOfIds }, toLocalIds }: FilterContext,
  { expected, toTest }: Criterion,
): (item: Item, member: Member) => Test | undefined {
  const plain = toTest(expected);
  if (typeOfIds === undefined) return () => plain;
  const byType = new Map<string, Test | undefined>();
  return (item, member) => {
    const typeName = typeOfIds(item, member);
    if (typeName === undefined) return plain;
    if (!byType.has(typeName)) byType.set(typeName, toTest(toLocalIds(typeName, expected)));
    return byType.get(typeName);
  };
}

/** Attributes that identify a record in addition to its id. */
const LABELS = ["name", "title", "slug", "login", "key", "code", "label", "username"];

/** Filters by the ids of related records, or by their names: `labels: ["bug"]`. */
function keyPredicate(
  context: FilterContext,
  { member, operator }: { readonly member: Member; readonly operator: Operator },
  expected: unknown,
): Predicate<Item> {
  const { reader } = context;
  if (operator.comparison === "null" || !isGiven(expected)) {
    const test = createTest(operator, expected);
    return (item) => test?.(reader.related(item, member)[0] ?? null);
  }
  const toTest = (value: unknown) => createTest({ ...operator, isNegated: false }, value);
  if (toTest(expected) === undefined || member.target === undefined) return () => true;
  const testOf = createTestOf(context, { expected, toTest });
  const keys = ["id", ...LABELS].flatMap((name) => member.target?.find(name) ?? []);
  return (item) =>
    reader.related(item, member)
      .some((one) => keys.some((key) => testOf(one, key)?.(reader.value(one, key)) === true)) !==
      operator.isNegated;
}

/** What such an object restricts: the values of an attribute, or the ids or names of a relation. */
function modifiedPredicate(
  context: FilterContext,
  { member, fields }: { readonly member: Member; readonly fields: ModifiedFields },
  given: unknown,
): Predicate<Item> {
  if (!isObject(given)) return () => true;
  const name = String(given[fields.operator] ?? "eq");
  const operator = context.words.operator(name);
  if (operator === undefined) {
    context.onUnknown(name);
    return () => true;
  }
  const expected = operandOf(operator, fields, given);
  return member.kind === "relation"
    ? relatedPredicate(context, member, operator, expected)
    : valuePredicate(context, member, {
      expected,
      toTest: (value) => createTest(operator, value),
    });
}

function operandOf(
  { comparison }: Operator,
  { value, second = "" }: ModifiedFields,
  given: Readonly<Record<string, unknown>>,
): unknown {
  return comparison === "between" && !Array.isArray(given[value])
    ? [given[value], given[second]]
    : given[value];
}

/** Compares with each related record: `INCLUDES` needs one of the ids, `INCLUDES_ALL` each. */
function relatedPredicate(
  context: FilterContext,
  member: Member,
  operator: Operator,
  expected: unknown,
): Predicate<Item> {
  const { comparison } = operator;
  const plain = { ...operator, comparison: "in" as const };
  if (comparison === "all") {
    const each = [expected].flat().filter(isGiven);
    return allOf(each.map((one) => keyPredicate(context, { member, operator: plain }, one)));
  }
  const isList = comparison === "contains" || comparison === "eq";
  return keyPredicate(context, { member, operator: isList ? plain : operator }, expected);
}
