import { deepStrictEqual } from "node:assert/strict";
import { createPatternTable, fillPattern, recordNames } from "./patterns.ts";

const plural = (word: string) =>
  ({ person: "people", news: "news", posts: "posts" })[word] ?? `${word}s`;

const FILLED: [typeName: string, pattern: string, names: string[]][] = [
  ["Post", "update{Record}", ["updatePost"]],
  ["BlogPost", "{records}Count", ["blogPostsCount"]],
  ["BlogPost", "create{Records}", ["createBlogPosts"]],
  ["Person", "delete{Records}", ["deletePeople"]],
  ["News", "update{Records}", ["updateNews"]],
  ["posts", "insert_{records}_one", ["insert_posts_one"]],
  ["person", "insert_{records}", ["insert_people", "insert_person"]],
  ["blog_post", "{records}_by_pk", ["blog_posts_by_pk", "blog_post_by_pk"]],
  ["Post", "insertInto{Record}Collection", ["insertIntoPostCollection"]],
  ["Post", "input.{record}Patch", ["input.postPatch"]],
  ["Post", "login", ["login"]],
];

for (const [typeName, pattern, names] of FILLED) {
  Deno.test(`${pattern} stands for ${names.join(" and ")} of ${typeName}`, () => {
    deepStrictEqual(fillPattern(pattern, recordNames(typeName, plural)), names);
  });
}

Deno.test("a pattern table finds names themselves first, and then those with a star", () => {
  const find = createPatternTable([["_*", 1], ["_set", 2], ["input.*", 3], ["*", 4], ["_set", 5]]);
  deepStrictEqual(find("_set"), [2, 5, 1, 4]);
  deepStrictEqual(find("_inc"), [1, 4]);
  deepStrictEqual(find("input.id"), [3, 4]);
  deepStrictEqual(find("where"), [4]);
  deepStrictEqual(find("_"), [4]);
});
