import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { keyOf, wordsOf } from "./names.ts";

const NAMES: readonly [name: string, words: readonly string[]][] = [
  ["title", ["title"]],
  ["createdAt", ["created", "at"]],
  ["created_at", ["created", "at"]],
  ["CREATED_AT", ["created", "at"]],
  ["CREATED_AT__desc", ["created", "at", "desc"]],
  ["filmID", ["film", "id"]],
  ["HTMLElement", ["html", "element"]],
  ["getURLs", ["get", "urls"]],
  ["URLsOfPage", ["urls", "of", "page"]],
  ["ProjectV2Item", ["project", "v2", "item"]],
  ["post2Author", ["post2", "author"]],
  ["_and", ["and"]],
  ["author.name:desc", ["author", "name", "desc"]],
  ["-rank", ["rank"]],
  ["", []],
  ["__", []],
];

for (const [name, words] of NAMES) {
  Deno.test(`wordsOf("${name}") is "${words.join(" ")}"`, () => {
    deepStrictEqual(wordsOf(name), words);
    strictEqual(keyOf(name), words.join(""));
  });
}
