import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type user { id: ID! name: String best_friend: user best_friend_id: ID blog_posts: [blog_post!]! blog_post_ids: [ID!] }
  type blog_post { id: ID! title: String author: user author_id: ID! authorID: ID subject: Subject subject_id: ID subjectId: ID }
  type picture { id: ID! url: String }
  union Subject = user | picture
  input UserInput { name: String best_friend_id: ID blog_post_ids: [ID!] }
  input PostInput { title: String author_id: ID subject_id: ID }
  input GitHubInput { authorID: ID }
  type Query {
    users(best_friend_id: ID, blog_post_ids: [ID!]): [user!]!
    posts(author_id: ID, subject_id: ID): [blog_post!]!
    pictures: [picture!]!
  }
  type Mutation {
    create_user(input: UserInput!): user
    create_post(input: PostInput!): blog_post
    move_post(id: ID!, input: GitHubInput!): blog_post
  }
`;

const FILLED = `mutation {
  ada: create_user(input: { name: "Ada" }) { best_friend_id blog_post_ids }
  one: create_post(input: { title: "One", author_id: 1 }) { author { name } author_id authorID }
  bo: create_user(input: { name: "Bo", best_friend_id: 1 }) { best_friend { name } best_friend_id }
}`;

Deno.test("foreign keys are written and read in any casing of the schema", async () => {
  const { data, dump } = createMockServer(SCHEMA);
  deepStrictEqual(await data(FILLED), {
    ada: { best_friend_id: null, blog_post_ids: null },
    one: { author: { name: "Ada" }, author_id: "1", authorID: "1" },
    bo: { best_friend: { name: "Ada" }, best_friend_id: "1" },
  });
  deepStrictEqual(
    await data(`mutation {
      move_post(id: 1, input: { authorID: 2 }) { author { name blog_posts { id } blog_post_ids } }
      create_user(input: { blog_post_ids: [1] }) { blog_posts { title author_id } }
    }`),
    {
      move_post: { author: { name: "Bo", blog_posts: [{ id: "1" }], blog_post_ids: ["1"] } },
      create_user: { blog_posts: [{ title: "One", author_id: "3" }] },
    },
  );
  deepStrictEqual(dump().blogPosts, [
    { id: "1", title: "One", authorId: "3", subjectId: null },
  ]);
});

Deno.test("foreign keys filter in any casing of the schema", async () => {
  const { data } = createMockServer(SCHEMA);
  await data(FILLED);
  deepStrictEqual(
    await data(`{
      users(best_friend_id: 1) { name } writers: users(blog_post_ids: [1]) { name }
      posts(author_id: 1) { title } none: posts(author_id: 2) { title }
    }`),
    { users: [{ name: "Bo" }], writers: [{ name: "Ada" }], posts: [{ title: "One" }], none: [] },
  );
});

Deno.test("the foreign key of a relation to several types is read as an id", async () => {
  const { data } = createMockServer(SCHEMA, { data: { pictures: [{ id: "7", url: "u" }] } });
  await data(FILLED);
  deepStrictEqual(
    await data(`mutation { create_post(input: { author_id: 1, subject_id: 7 }) {
      subject { __typename } subject_id subjectId
    } }`),
    { create_post: { subject: { __typename: "picture" }, subject_id: "7", subjectId: "7" } },
  );
  deepStrictEqual(await data("{ posts(subject_id: 7) { id } }"), { posts: [{ id: "2" }] });
});

Deno.test("an attribute that the app has stored under another casing of a key is read and filtered", async () => {
  const { data } = createMockServer(SCHEMA, { data: { blogPosts: [{ id: "1", author_id: "9" }] } });
  deepStrictEqual(await data("{ posts(author_id: 9) { id author_id } }"), {
    posts: [{ id: "1", author_id: "9" }],
  });
  await data(`mutation { create_user(input: { blog_post_ids: [1] }) { id } }`);
  deepStrictEqual(await data("{ posts { author_id } }"), { posts: [{ author_id: "1" }] });
});
