import { wordsOf } from "../shared/names.ts";
import type { Item, MemberReader } from "./item.ts";
import type { ListWords, SortDirection } from "./list_words.ts";
import type { Member, Target } from "./targets.ts";

/** One key to sort by. */
export interface SortKey extends SortDirection {
  /** The attribute to compare, after the relations to it; empty for the order of the records. */
  readonly path: readonly Member[];
  /** Whether to compare how many records the last member leads to. */
  readonly isCount: boolean;
}

/** A direction in any casing, such as `DESC`, `Ascending` or `asc_nulls_first`. */
export function directionOf(words: ListWords, value: unknown): SortDirection | undefined {
  if (value === 1 || value === -1) return { isDescending: value === -1 };
  if (typeof value !== "string") return undefined;
  const named = words.direction(value);
  if (named !== undefined) return named;
  const own = [...wordsOf(value)];
  const direction = takeDirection(words, own);
  return own.length === 0 ? direction : undefined;
}

/** Removes the direction from the end or the start of some words; they are changed. */
function takeDirection({ direction }: ListWords, words: string[]): SortDirection | undefined {
  const [nulls, place] = words.slice(-2);
  const isPlaced = nulls === "nulls" && (place === "first" || place === "last");
  const rest = isPlaced ? words.slice(0, -2) : words;
  const [first, last] = [rest[0] ?? "", rest.at(-1) ?? ""]
    .map((word) => direction(word)?.isDescending ?? DIRECTIONS.get(word));
  const isDescending = last ?? first;
  if (isDescending === undefined) return undefined;
  const left = last === undefined ? rest.slice(1) : rest.slice(0, -1);
  words.splice(0, words.length, ...left);
  return isPlaced ? { isDescending, nulls: place } : { isDescending };
}

const DIRECTIONS = new Map([
  ["asc", false],
  ["ascending", false],
  ["ascend", false],
  ["desc", true],
  ["descending", true],
  ["descend", true],
]);

/** What a text sorts by; `any` if it leaves the order to the server. */
export type ParsedSortKey = SortKey | "any" | undefined;

/**
 * Parses a key such as `TITLE_ASC`, `title:desc`, `-title`, `author.name` or `POSTS_COUNT`;
 * `undefined` if no member has that name.
 */
export function parseSortKey(target: Target, text: string): ParsedSortKey {
  const words = [...wordsOf(text)];
  const found = memberNamed(target, words);
  const direction = found === undefined ? takeDirection(target.words, words) : undefined;
  const isDescending = (direction?.isDescending ?? false) !== text.startsWith("-");
  const bare = { isCount: false, ...direction, isDescending };
  const name = words.join(" ");
  if (words.length === 0 || /^(natural|primary key|pk)$/.test(name)) return { ...bare, path: [] };
  const path = found ?? findMember(target, words);
  if (path !== undefined) return { ...bare, ...path };
  const isAny = (word: string) => target.words.means("anyOrder", word) || /^\d+$/.test(word);
  if (words.some((word) => !/^\d+$/.test(word)) && words.every(isAny)) return "any";
  const moment = /^(newest|recent|latest|new|oldest|created|updated|published)( first)?$/.exec(
    name,
  );
  const date = moment && findMember(target, [
    MOMENTS.has(moment[1] ?? "") ? moment[1] ?? "" : "created",
    "at",
  ]);
  if (!date) return undefined;
  const isNewest = /^(newest|recent|latest|new)/.test(name);
  return { ...bare, ...date, isDescending: isDescending !== isNewest };
}

const MOMENTS = new Set(["created", "updated", "published"]);

type Found = Pick<SortKey, "path" | "isCount">;

function memberNamed(target: Target, words: readonly string[]): Found | undefined {
  const member = target.find(words.join(""));
  return member && { path: [member], isCount: member.kind === "relation" && member.isList };
}

/** The member with a name, possibly after relations: `author name`, `user by author id name`. */
function findMember(target: Target, words: readonly string[]): Found | undefined {
  const named = memberNamed(target, words);
  if (named !== undefined) return named;
  for (let length = words.length - 1; length > 0; length--) {
    const start = target.find(words.slice(0, length).join(""));
    const found = start?.target && findBehind(start, start.target, words.slice(length));
    if (found) return found;
  }
  const by = words.indexOf("by");
  return by < 0 ? undefined : findMember(target, words.slice(by + 1));
}

function findBehind(start: Member, target: Target, words: readonly string[]): Found | undefined {
  const relation: Member = start.kind === "ids" ? { ...start, kind: "relation" } : start;
  if (words.join("") === "count") return { path: [relation], isCount: true };
  const found = findMember(target, words);
  return found && { ...found, path: [relation, ...found.path] };
}

/** The value by which a record is sorted; of several related records the first one counts. */
export function sortValue(reader: MemberReader, item: Item, key: SortKey): unknown {
  const { path, isCount } = key;
  const last = path.at(-1);
  let current: Item | undefined = item;
  for (const member of path.slice(0, -1)) {
    current = current && reader.related(current, member)[0];
  }
  if (current === undefined || last === undefined) return undefined;
  return isCount ? reader.related(current, last).length : readLast(reader, current, last);
}

/** A relation to one record is compared by its id. */
function readLast(reader: MemberReader, item: Item, member: Member): unknown {
  const value = reader.value(item, member);
  return Array.isArray(value) ? value[0] : value;
}
