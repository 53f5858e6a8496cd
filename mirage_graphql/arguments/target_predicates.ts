import { keyOf } from "../shared/names.ts";
import { isGiven } from "../shared/values.ts";
import type { Item, MemberReader } from "./item.ts";
import type { Member, Target } from "./targets.ts";
import { allOf, type Predicate } from "./value_predicates.ts";

/** Creates the predicate for members that have to have a value, by their names. */
export function hasPredicate(
  reader: MemberReader,
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
