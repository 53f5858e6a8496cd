import type { Item, MemberReader } from "./item.ts";
import type { ListWords, Operator } from "./list_words.ts";
import { isGiven } from "../shared/values.ts";
import { allOf, createTest, type Predicate, type Test } from "./value_predicates.ts";
import type { Member, Target } from "./targets.ts";
import { keyOf } from "../shared/names.ts";

/** What filters are created with. */
export interface FilterContext {
  readonly reader: MemberReader;
  readonly words: ListWords;
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
export function valuePredicate(
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

/** Creates the predicate for members that have to have a value, by their names. */
export function hasPredicate(
  { reader }: FilterContext,
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
export function keyPredicate(
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

/** Creates a predicate that finds all words of a text, each in any attribute or in the one before a colon. */
export function createSearch(
  reader: MemberReader,
  target: Target,
  expected: string,
): Predicate<Item> {
  const readAll = attributeReader(reader, target);
  return allOf(
    expected.split(/\s+/).filter((part) => part !== "").map((part) => {
      const [, name = "", named] = /^(\w+):(.*)$/.exec(part) ?? [];
      const member = target.find(keyOf(name));
      const isNamed = member !== undefined && member.kind === "attribute";
      const text = (isNamed ? named ?? "" : part).replaceAll(/["'*]/g, "").toLowerCase();
      const read = isNamed ? (item: Item) => [reader.value(item, member)] : readAll;
      return (item: Item) => read(item).some((value) => contains(value, text));
    }),
  );
}

function contains(value: unknown, text: string): boolean {
  if (value === null || value === undefined) return false;
  return String(value).toLowerCase().includes(text);
}

/** Reads the values of all attributes, including those of plain objects in a record. */
function attributeReader(
  reader: MemberReader,
  target: Target,
  isEmbedded = false,
): (item: Item) => readonly unknown[] {
  const parts = target.members.flatMap((member): ((item: Item) => readonly unknown[]) | [] => {
    if (member.kind === "attribute") return (item) => [reader.value(item, member)];
    if (isEmbedded || member.target === undefined || !isPlain(member)) return [];
    const read = attributeReader(reader, member.target, true);
    return (item) => reader.related(item, member).flatMap(read);
  });
  return (item) => parts.flatMap((read) => read(item));
}

/** Whether a member is one object without an id, such as `title: { english, native }`. */
function isPlain({ kind, isList, target }: Member): boolean {
  return kind === "relation" && !isList && target?.find("id") === undefined;
}
