import { allOf, type Predicate } from "./predicates.ts";
import type { Member, MemberReader, Target } from "./targets.ts";
import { keyOf } from "../names.ts";

/** Creates a predicate that finds all words of a text, each in any attribute or in the one before a colon. */
export function createSearch<Item>(
  reader: MemberReader<Item>,
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
function attributeReader<Item>(
  reader: MemberReader<Item>,
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
