import {
  createFilterShape,
  type FilterShape,
  type Quantifier,
  QUANTIFIERS,
} from "./filter_shape.ts";
import type { Logic, Rule } from "./filter_shape.ts";
import { type Operator, parseOperator } from "./operators.ts";
import { allOf, anyOf, notOf, type Predicate } from "./predicates.ts";
import { createSearch } from "./search.ts";
import type { Member, MemberReader, Target } from "./targets.ts";
import { createTest, type Test } from "./value_tests.ts";
import { keyOf } from "./words.ts";

/** What filters are made with. */
export interface FilterContext<Item> {
  readonly reader: MemberReader<Item>;
  /** Called for a field that no rule fits. */
  readonly onUnknown: (name: string) => void;
  /** The ids in a request as the records of a type have them. */
  readonly toLocalIds: (typeName: string, wanted: unknown) => unknown;
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** Creates the predicate for a value of a filter's input type; an empty object fits all. */
export function createPredicate<Item>(
  context: FilterContext<Item>,
  shape: FilterShape,
  value: unknown,
): Predicate<Item> {
  const values = Array.isArray(value) ? value : [value];
  return allOf(
    values.flatMap(entriesOf).map(([name, wanted]) => {
      const rule = shape.rule(name);
      if (rule !== undefined) {
        return createRulePredicate(context, { rule, wanted, target: shape.target });
      }
      if (isGiven(wanted)) context.onUnknown(name);
      return () => true;
    }),
  );
}

/** A rule, and the value that it has in a request. */
export interface RuleValue {
  readonly rule: Rule;
  readonly wanted: unknown;
  readonly target: Target;
}

/** Creates the predicate for one field of a filter. */
export function createRulePredicate<Item>(
  context: FilterContext<Item>,
  { rule, wanted, target }: RuleValue,
): Predicate<Item> {
  switch (rule.kind) {
    case "logic":
      return logicPredicate(context, rule, wanted);
    case "value":
      return rule.member.kind === "relation"
        ? keyPredicate(context, rule, wanted)
        : valuePredicate(context, rule.member, {
          wanted,
          toTest: (value) => createTest(rule.operator, value),
        });
    case "operators":
      return valuePredicate(context, rule.member, {
        wanted,
        toTest: (value) => allOf(operatorTests(context, entriesOf(value), false)),
      });
    case "relation":
      return relationPredicate(context, rule, wanted);
    case "search":
      return typeof wanted === "string" ? createSearch(context.reader, target, wanted) : () => true;
    case "has":
      return hasPredicate(context, target, wanted);
  }
}

function entriesOf(value: unknown): Entries {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** What a request wants of a value, and how to test for it. */
interface Wanted {
  readonly wanted: unknown;
  readonly toTest: (wanted: unknown) => Test | undefined;
}

function valuePredicate<Item>(
  context: FilterContext<Item>,
  member: Member,
  wanted: Wanted,
): Predicate<Item> {
  const { reader } = context;
  const testOf = createTestOf(context, wanted);
  return (item) => {
    const test = testOf(item, member);
    return test === undefined ? true : test(reader.value(item, member));
  };
}

/** Tests for ids depend on the type of the records, because global ids say theirs. */
function createTestOf<Item>(
  { reader: { typeOfIds }, toLocalIds }: FilterContext<Item>,
  { wanted, toTest }: Wanted,
): (item: Item, member: Member) => Test | undefined {
  const plain = toTest(wanted);
  if (typeOfIds === undefined) return () => plain;
  const byType = new Map<string, Test | undefined>();
  return (item, member) => {
    const typeName = typeOfIds(item, member);
    if (typeName === undefined) return plain;
    if (!byType.has(typeName)) byType.set(typeName, toTest(toLocalIds(typeName, wanted)));
    return byType.get(typeName);
  };
}

function hasPredicate<Item>(
  { reader }: FilterContext<Item>,
  target: Target,
  wanted: unknown,
): Predicate<Item> {
  const names = Array.isArray(wanted) ? wanted : [wanted];
  const members = names.flatMap((name) => target.find(keyOf(String(name))) ?? []);
  return allOf(
    members.map((member) => (item: Item) =>
      member.kind === "relation"
        ? reader.related(item, member).length > 0
        : isGiven(reader.value(item, member))
    ),
  );
}

function logicPredicate<Item>(
  context: FilterContext<Item>,
  { word, shape }: { readonly word: Logic; readonly shape: FilterShape },
  wanted: unknown,
): Predicate<Item> {
  if (!isGiven(wanted)) return () => true;
  const values = Array.isArray(wanted) ? wanted : [wanted];
  const parts = values.map((value) => createPredicate(context, shape, value));
  if (word === "or") return anyOf(parts);
  // `NOT` with a list excludes what fits one of them, as in Prisma
  return word === "not" ? allOf(parts.map(notOf)) : allOf(parts);
}

/** The tests of an input object with operators; `not`, `and` and `or` may hold further ones. */
function operatorTests<Item>(
  context: FilterContext<Item>,
  entries: Entries,
  isFolded: boolean,
): readonly Test[] {
  const isInsensitive = isFolded ||
    entries.some(([name, value]) => name === "mode" && /^insensitive$/i.test(String(value)));
  return entries.flatMap(([name, wanted]): Test | readonly Test[] => {
    const key = keyOf(name);
    if (key === "mode") return [];
    const nested = Array.isArray(wanted) ? wanted : [wanted];
    if ((key === "not" || key === "and" || key === "or") && nested.every(isOperators)) {
      const parts = nested.map((one) =>
        allOf(operatorTests(context, entriesOf(one), isInsensitive))
      );
      return key === "or" ? anyOf(parts) : allOf(key === "not" ? parts.map(notOf) : parts);
    }
    const operator = parseOperator(key);
    if (operator === undefined && isGiven(wanted)) context.onUnknown(name);
    if (operator === undefined) return [];
    return createTest(
      { ...operator, isInsensitive: operator.isInsensitive || isInsensitive },
      wanted,
    ) ??
      [];
  });
}

function isOperators(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface RelationRule {
  readonly member: Member;
  readonly quantifier: Quantifier;
  readonly shape: FilterShape;
}

/** Filters by related records; as in SQL, whether there is one that fits is never unknown. */
function relationPredicate<Item>(
  context: FilterContext<Item>,
  { member, quantifier, shape }: RelationRule,
  wanted: unknown,
): Predicate<Item> {
  const { related } = context.reader;
  if (!isGiven(wanted)) {
    if (member.isList) return () => true;
    return (item) => (related(item, member).length === 0) === (quantifier !== "isNot");
  }
  const entries = entriesOf(wanted);
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
function ownQuantifier(shape: FilterShape, name: string): Quantifier | undefined {
  return shape.target.find(keyOf(name)) === undefined && name !== ""
    ? QUANTIFIERS.get(keyOf(name))
    : undefined;
}

function quantify<Item>(
  quantifier: Quantifier,
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

function numberPredicate<Item>(
  context: FilterContext<Item>,
  member: Member,
  [name, wanted]: Entries[number],
): Predicate<Item> {
  if (!isGiven(wanted)) return () => true;
  const count = (item: Item) => context.reader.related(item, member).length;
  if (typeof wanted === "boolean") {
    return (item) => (count(item) > 0) === (wanted === (keyOf(name) === "exists"));
  }
  const equals = parseOperator("eq");
  const tests = isOperators(wanted)
    ? operatorTests(context, entriesOf(wanted), false)
    : [equals && createTest(equals, wanted)].filter((test) => test !== undefined);
  return allOf(tests.map((test) => (item: Item) => test(count(item))));
}

/** Attributes that name a record beside its id. */
const LABELS = ["name", "title", "slug", "login", "key", "code", "label", "username"];

/** Filters by the ids of related records, or by what they are called: `labels: ["bug"]`. */
function keyPredicate<Item>(
  context: FilterContext<Item>,
  { member, operator }: { readonly member: Member; readonly operator: Operator },
  wanted: unknown,
): Predicate<Item> {
  const { reader } = context;
  if (operator.comparison === "null" || !isGiven(wanted)) {
    const test = createTest(operator, wanted);
    return (item) => test?.(reader.related(item, member)[0] ?? null);
  }
  const toTest = (value: unknown) => createTest({ ...operator, isNegated: false }, value);
  if (toTest(wanted) === undefined || member.target === undefined) return () => true;
  const testOf = createTestOf(context, { wanted, toTest });
  const keys = ["id", ...LABELS].flatMap((name) => member.target?.find(name) ?? []);
  return (item) =>
    reader.related(item, member)
      .some((one) => keys.some((key) => testOf(one, key)?.(reader.value(one, key)) === true)) !==
      operator.isNegated;
}
