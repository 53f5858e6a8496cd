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
