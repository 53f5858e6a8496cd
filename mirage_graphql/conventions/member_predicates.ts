import type { Operator } from "./operators.ts";
import { isGiven } from "./equality.ts";
import { allOf, type Predicate } from "./predicates.ts";
import type { Member, MemberReader, Target } from "./targets.ts";
import { createTest, type Test } from "./value_tests.ts";
import { keyOf } from "../names.ts";

/** What filters are created with. */
export interface FilterContext<Item> {
  readonly reader: MemberReader<Item>;
  /** Called for a field that matches no rule. */
  readonly onUnknown: (name: string) => void;
  /** Converts the ids in a request to those of the records of a type. */
  readonly toLocalIds: (typeName: string, ids: unknown) => unknown;
}

/** What a request expects of a value, and how to test it. */
export interface Criterion {
  readonly expected: unknown;
  readonly toTest: (expected: unknown) => Test | undefined;
}

/** Creates the predicate for the value of a member. */
export function valuePredicate<Item>(
  context: FilterContext<Item>,
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
function createTestOf<Item>(
  { reader: { typeOfIds }, toLocalIds }: FilterContext<Item>,
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

/** Creates the predicate for members that have to have a value, by their names. */
export function hasPredicate<Item>(
  { reader }: FilterContext<Item>,
  target: Target,
  expected: unknown,
): Predicate<Item> {
  const names = Array.isArray(expected) ? expected : [expected];
  const members = names.flatMap((name) => target.find(keyOf(String(name))) ?? []);
  return allOf(
    members.map((member) => (item: Item) =>
      member.kind === "relation"
        ? reader.related(item, member).length > 0
        : isGiven(reader.value(item, member))
    ),
  );
}

/** Attributes that identify a record in addition to its id. */
const LABELS = ["name", "title", "slug", "login", "key", "code", "label", "username"];

/** Filters by the ids of related records, or by their names: `labels: ["bug"]`. */
export function keyPredicate<Item>(
  context: FilterContext<Item>,
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
