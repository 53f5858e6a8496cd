import { deepStrictEqual } from "node:assert/strict";
import { nameStems } from "./pair_relations.ts";

const singularize = (word: string) => word.replace(/(?<!s)s$/, "");

const STEMS: [fieldName: string, targetType: string, stems: string[]][] = [
  ["author", "user", ["auth"]],
  ["authoredPosts", "post", ["auth"]],
  ["postsAsAuthor", "post", ["auth"]],
  ["authored_posts", "post", ["auth"]],
  ["editor", "user", ["edit"]],
  ["editedBlogPosts", "blog-post", ["edit"]],
  ["mentor", "person", ["ment"]],
  ["mentees", "person", ["ment"]],
  ["followers", "user", ["follow"]],
  ["following", "user", ["follow"]],
  ["owner", "user", ["own"]],
  ["ownedRepos", "repo", ["own"]],
  ["likedBy", "user", ["lik"]],
  ["likes", "post", ["lik"]],
  ["coAuthor", "user", ["co", "auth"]],
  ["HTTPLogs", "http-log", []],
  ["posts", "post", []],
  ["to", "person", ["to"]],
  ["inTo", "person", ["in", "to"]],
  ["next", "page", ["next"]],
  ["previousPage", "page", ["next"]],
  ["red", "team", ["red"]],
];

for (const [fieldName, targetType, stems] of STEMS) {
  Deno.test(`nameStems() of ${fieldName}, which leads to ${targetType}: ${stems.join(", ")}`, () => {
    deepStrictEqual([...nameStems(fieldName, targetType, singularize)], stems);
  });
}
