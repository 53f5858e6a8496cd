/**
 * The words of a name in any casing, in lower case.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { wordsOf } from "./names.ts";
 *
 * deepStrictEqual(wordsOf("filmID"), ["film", "id"]);
 * deepStrictEqual(wordsOf("getURLs"), ["get", "urls"]);
 * deepStrictEqual(wordsOf("CREATED_AT__desc"), ["created", "at", "desc"]);
 * ```
 */
export function wordsOf(name: string): readonly string[] {
  const known = found.get(name);
  if (known !== undefined) return known;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])/g, "$1 $2")
    .toLowerCase().split(/[^a-z\d]+/).filter((word) => word !== "");
  if (found.size < MAX_KNOWN) found.set(name, words);
  return words;
}

/** How many names are cached: names come from schemas, but sort keys also from requests. */
const MAX_KNOWN = 5_000;

const found = new Map<string, readonly string[]>();

/** What `HTTPLog`, `httpLog`, `http_log`, `http-log` and `HTTP_LOG` share: letters and digits alone. */
export function keyOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}

/** The names in a sentence: `a, b or c`. */
export function enumerate(names: readonly string[], word: "and" | "or"): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}

/** The name of a Mirage model as a key of `createServer({ models })`: `blogPost` of `blog-post`. */
export function camelize(modelName: string): string {
  return modelName.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Forms the plural of a word in lower case, as the Mirage server does for the names of its tables. */
export type Pluralize = (word: string) => string;

/**
 * Whether a word is another one or its plural. A plural is formed and never taken apart: the singular
 * of `caches` could be `cach`.
 */
export function isOneOrMany(word: string, one: string, plural: Pluralize): boolean {
  return word === one || word === plural(one);
}

/**
 * What the name of a number counts, as {@linkcode keyOf} writes it: `posts` of `postsCount`,
 * `countPosts` and `total_posts`; `undefined` if it counts nothing.
 */
export function countedKey(name: string): string | undefined {
  const words = wordsOf(name);
  const [first = ""] = words;
  if (words.length < 2) return undefined;
  if (words.at(-1) === "count") {
    return words.slice(0, -1).filter((word) => word !== "total").join("");
  }
  return /^(count|total)$/.test(first) ? words.slice(1).join("") : undefined;
}

/** Knows how a Mirage server calls the table of a model. */
export interface TableNames {
  toCollectionName(modelName: string): string;
}

const plurals = new WeakMap<TableNames, Pluralize>();

/** The plurals of words in lower case, as the inflector of a Mirage server forms them. */
export function pluralsOf(mirageSchema: TableNames): Pluralize {
  const known = new Map<string, string>();
  const plural = plurals.get(mirageSchema) ?? ((word) => {
    // Mirage looks words up in a plain object, which has a function for "constructor"
    const formed = known.get(word) ??
      (word in Object.prototype ? word : keyOf(mirageSchema.toCollectionName(word)));
    if (known.size < MOST_PLURALS) known.set(word, formed);
    return formed;
  });
  plurals.set(mirageSchema, plural);
  return plural;
}

/** How many plurals are cached: some words come from requests. */
const MOST_PLURALS = 5_000;
