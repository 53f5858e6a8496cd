import { getNamedType } from "graphql";
import type { ListWords, OrderRole, SortDirection } from "./list_words.ts";
import type { InputValue } from "../schema/types.ts";
import { directionOf, parseSortKey, type SortKey } from "./sort_key.ts";
import type { Target } from "./targets.ts";
import { keyOf } from "../shared/names.ts";

/** What an argument specifies about the order, by its path and type; `undefined` if nothing. */
export function orderRoleOf(
  words: ListWords,
  { name, type }: InputValue,
  path: readonly string[] = [name],
): OrderRole | undefined {
  const named = getNamedType(type);
  const isBoolean = named.name === "Boolean";
  const role = words.orderRole(path);
  if (role !== undefined && isBoolean === (role === "reverse")) return role;
  return words.guesses?.orderRole(words, { name, type });
}

/** The values of the arguments that are about the order. */
export interface OrderValues {
  readonly keys: readonly unknown[];
  readonly direction: unknown;
  readonly isReversed: boolean;
}

/** Called for a key that matches no attribute. */
export type OnUnknownKey = (key: string) => void;

/** The keys that a request sorts by, the most important first. */
export function toSortKeys(
  target: Target,
  { keys, direction, isReversed }: OrderValues,
  onUnknown: OnUnknownKey,
): readonly SortKey[] {
  const toDirection = (value: unknown) => directionOf(target.words, value);
  const given = toDirection(direction);
  const found = keys.flatMap((key) => toDirection(key) ? [] : [...keysOf(target, key, onUnknown)]);
  const alone = given ?? keys.map(toDirection).find((one) => one !== undefined);
  if (found.length === 0 && (alone !== undefined || isReversed)) {
    return [{ path: [], isCount: false, isDescending: alone?.isDescending !== isReversed }];
  }
  const isFlipped = (alone?.isDescending ?? false) !== isReversed;
  return found.map((key) => ({ ...key, isDescending: key.isDescending !== isFlipped }));
}

/** The keys in the value of an argument: a text, an enum value, an object, or a list of these. */
function* keysOf(target: Target, value: unknown, onUnknown: OnUnknownKey): Iterable<SortKey> {
  if (Array.isArray(value)) {
    for (const one of joined(target.words, value)) yield* keysOf(target, one, onUnknown);
  } else if (typeof value === "string") {
    for (const text of value.split(",")) {
      const key = parseSortKey(target, text);
      if (key === undefined) onUnknown(text);
      else if (key !== "any") yield key;
    }
  } else if (typeof value === "object" && value !== null) {
    yield* keysOfObject(target, Object.entries(value), onUnknown);
  }
}

/** AniList and others send a key and its direction as two items: `["title", "asc"]`. */
function joined(words: ListWords, values: readonly unknown[]): readonly unknown[] {
  const [key, direction, ...more] = values;
  const isPair = typeof key === "string" && directionOf(words, direction) && more.length === 0;
  return isPair ? [`${key}:${direction}`] : values;
}

type Entry = readonly [name: string, value: unknown];

const FIELD_NAME = /^(field|key|by|column|attribute|property|sort|sortby|orderby|order|name|path)$/;

/** `{ title: ASC }`, `{ author: { name: ASC } }`, or `{ field: TITLE, direction: ASC }`. */
function* keysOfObject(
  target: Target,
  entries: readonly Entry[],
  onUnknown: OnUnknownKey,
): Iterable<SortKey> {
  const field = entries.find(([name, value]) =>
    FIELD_NAME.test(keyOf(name)) && typeof value === "string" &&
    directionOf(target.words, value) === undefined
  );
  if (field === undefined) {
    for (const entry of entries) yield* keysOfEntry(target, entry, onUnknown);
    return;
  }
  const direction = entries.map(([, value]) => directionOf(target.words, value)).find((one) =>
    one !== undefined
  );
  for (const key of keysOf(target, field[1], onUnknown)) {
    yield direction === undefined ? key : {
      ...key,
      ...direction,
      isDescending: key.isDescending !== direction.isDescending,
    };
  }
}

function* keysOfEntry(
  target: Target,
  [name, value]: Entry,
  onUnknown: OnUnknownKey,
): Iterable<SortKey> {
  if (value === null || value === undefined) return;
  const named = directionOf(target.words, name);
  if (named !== undefined && typeof value === "string" && target.find(keyOf(name)) === undefined) {
    for (const key of keysOf(target, value, onUnknown)) yield { ...key, ...named };
    return;
  }
  if (isNextKey(name, value)) return yield* keysOf(target, value, onUnknown);
  const member = target.find(keyOf(name)) ?? target.find(keyOf(name).replace(/aggregate$/, ""));
  if (member === undefined) return onUnknown(name);
  const direction = directionOf(target.words, value) ?? directionOfObject(target.words, value);
  if (direction !== undefined) {
    const isCount = member.kind === "relation" && member.isList;
    yield { path: [member], isCount, ...direction };
  } else if (member.target !== undefined) {
    const behind = Array.isArray(value) ? value : [value];
    for (
      const key of behind.flatMap((one) => [...keysOf(member.target ?? target, one, onUnknown)])
    ) {
      yield { ...key, path: [member, ...key.path] };
    }
  } else onUnknown(name);
}

/** The key after the first one, as in Dgraph: `{ desc: date, then: { asc: title } }`. */
function isNextKey(name: string, value: unknown): boolean {
  return name === "then" && typeof value === "object";
}

/** `{ sort: asc, nulls: last }` of Prisma, `{ order: Ascending, nulls: first }` of Linear, `{ count: desc }`. */
function directionOfObject(words: ListWords, value: unknown): SortDirection | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value);
  const isOwn = entries.every(([name]) => /^(sort|order|direction|nulls|count|_count)$/.test(name));
  const direction = entries.map(([, one]) => directionOf(words, one)).find((one) =>
    one !== undefined
  );
  if (!isOwn || direction === undefined) return undefined;
  const nulls = entries.find(([name]) => name === "nulls")?.[1];
  const place = typeof nulls === "string" ? nulls.toLowerCase() : undefined;
  return place === "first" || place === "last" ? { ...direction, nulls: place } : direction;
}
