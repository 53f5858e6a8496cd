import {
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
} from "graphql";
import type { InputValue } from "../schema/types.ts";
import { wordsOf } from "../shared/names.ts";
import type { ListWords, PageKey } from "./list_words.ts";

/** A page, in the terms of the Relay specification and with an offset. */
export interface PageRequest {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  /** Number of records to skip at the start. */
  readonly offset?: number;
  /** Number of the page, from 1, if it was given. */
  readonly page?: number;
  /** Cursor or id of the first record of the page. */
  readonly position?: string;
}

/** Size of a page that is requested only by its number. */
export const DEFAULT_PAGE_SIZE = 20;

/** The names of the types of numbers. */
export const NUMBER = /^(Int|BigInt|Long|NonNegativeInt|PositiveInt|UInt\d*|Int\d+|Float|Number)$/;

/** What an argument specifies about the page, by its path and type; `undefined` if nothing. */
export function pageKeyOf(
  words: ListWords,
  input: InputValue,
  path: readonly string[] = [input.name],
  isNested = false,
): PageKey | undefined {
  const named = getNamedType(input.type);
  if (isListType(getNullableType(input.type)) || named.name === "Boolean") return undefined;
  const key = words.pageKey(path);
  if (key !== undefined && isOfType(key, named)) return key;
  return words.guesses?.pageKey(words, input, isNested);
}

/** Sizes are numbers, cursors are not, and the key of the first record is an object. */
function isOfType(key: PageKey, type: GraphQLNamedType): boolean {
  if (key === "position") return isInputObjectType(type);
  const isCursor = key === "after" || key === "before";
  return isLeafType(type) && NUMBER.test(type.name) !== isCursor;
}

/** Whether an input object is only about the page, such as `pagination: { page, pageSize }`. */
export function isPageObject(words: ListWords, { name, type }: InputValue): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || isListType(getNullableType(type))) return false;
  const isNamed = [name, named.name].some((one) =>
    wordsOf(one).some((word) =>
      /^(page|pages|paging|pagination|paginate|pager|paginated)$/.test(word)
    )
  );
  const isKey = (field: InputValue) =>
    pageKeyOf(words, field, [name, field.name], true) !== undefined;
  return isNamed && Object.values(named.getFields()).some(isKey);
}

/** The values of the arguments that are about the page, by their role; `null` counts as absent. */
export type PageValues = ReadonlyMap<PageKey, unknown>;

/** The requested page; `undefined` if all records are requested. */
export function toPageRequest(values: PageValues): PageRequest | undefined {
  if (values.size === 0) return undefined;
  const page = numberOf(values.get("page"));
  const limit = numberOf(values.get("limit")) ??
    (page === undefined ? undefined : numberOf(values.get("first")) ?? DEFAULT_PAGE_SIZE);
  const first = least(
    numberOf(values.get("first")),
    limit === undefined || limit < 0 ? undefined : limit,
  );
  const skipped = numberOf(values.get("offset")) ?? 0;
  const before = page === undefined ? 0 : (Math.max(page, 1) - 1) * Math.max(first ?? 0, 0);
  const position = textOf(values.get("position"));
  return {
    ...(first === undefined ? {} : { first }),
    // as in Prisma, where `take: -3` returns the last three
    last: numberOf(values.get("last")) ?? (limit !== undefined && limit < 0 ? -limit : null),
    after: textOf(values.get("after")) ?? null,
    before: textOf(values.get("before")) ?? null,
    offset: skipped + before,
    ...(page === undefined ? {} : { page: Math.max(page, 1) }),
    ...(position === undefined ? {} : { position }),
  };
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "bigint" || typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}

/** A cursor; that of Prisma is an object with a unique attribute. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return String(value);
  return textOf(Object.values(value).find((one) => one !== null && one !== undefined));
}
