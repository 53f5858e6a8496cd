/**
 * The words of a name in any casing, in lower case.
 *
 * @example
 * ```ts
 * import { deepStrictEqual } from "node:assert/strict";
 * import { wordsOf } from "./words.ts";
 *
 * deepStrictEqual(wordsOf("filmID"), ["film", "id"]);
 * deepStrictEqual(wordsOf("CREATED_AT__desc"), ["created", "at", "desc"]);
 * ```
 */
export function wordsOf(name: string): readonly string[] {
  const known = found.get(name);
  if (known !== undefined) return known;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase().split(/[^a-z\d]+/).filter((word) => word !== "");
  if (found.size < MAX_KNOWN) found.set(name, words);
  return words;
}

/** How many names are cached: names come from schemas, but sort keys also from requests. */
const MAX_KNOWN = 5_000;

const found = new Map<string, readonly string[]>();

/** The normalized form of a name in any casing: `created_at`, `createdAt` and `CREATED_AT`. */
export function keyOf(name: string): string {
  return wordsOf(name).join("");
}

/** The singular of an English plural, by the rules of spelling; returns other words unchanged. */
export function singularOf(word: string): string {
  if (/(ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ches|shes|xes|sses|zes|uses)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
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
