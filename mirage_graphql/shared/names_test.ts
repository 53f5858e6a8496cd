import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { camelize, enumerate, keyOf, wordsOf } from "./names.ts";

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

Deno.test("enumerate() joins names as a sentence does", () => {
  strictEqual(enumerate([], "or"), "");
  strictEqual(enumerate(["a"], "or"), "a");
  strictEqual(enumerate(["a", "b"], "and"), "a and b");
  strictEqual(enumerate(["a", "b", "c"], "or"), "a, b or c");
});

Deno.test("camelize() turns the name of a model into the key that createServer() takes", () => {
  strictEqual(camelize("blog-post"), "blogPost");
  strictEqual(camelize("person"), "person");
});
