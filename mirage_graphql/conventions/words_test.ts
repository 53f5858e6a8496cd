import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { keyOf, singularOf, wordsOf } from "./words.ts";

const NAMES: readonly [name: string, words: readonly string[]][] = [
  ["title", ["title"]],
  ["createdAt", ["created", "at"]],
  ["created_at", ["created", "at"]],
  ["CREATED_AT", ["created", "at"]],
  ["CREATED_AT__desc", ["created", "at", "desc"]],
  ["filmID", ["film", "id"]],
  ["HTMLElement", ["html", "element"]],
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

const PLURALS: readonly [plural: string, singular: string][] = [
  ["posts", "post"],
  ["stories", "story"],
  ["keys", "key"],
  ["boxes", "box"],
  ["matches", "match"],
  ["dishes", "dish"],
  ["addresses", "address"],
  ["buses", "bus"],
  ["quizzes", "quizz"],
  ["status", "status"],
  ["analysis", "analysis"],
  ["address", "address"],
  ["people", "people"],
  ["post", "post"],
];

for (const [plural, singular] of PLURALS) {
  Deno.test(`singularOf("${plural}") is "${singular}"`, () => {
    strictEqual(singularOf(plural), singular);
  });
}
