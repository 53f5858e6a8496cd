import { deepStrictEqual, rejects } from "node:assert/strict";
import { createMock } from "../mod.ts";

const SCHEMA = `
  type Tag { id: ID! name: String posts: [Post!]! }
  type Post { id: ID! title: String tags: [Tag!]! }
  type Query { posts: [Post!]! tags: [Tag!]! }
  input PostInput {
    title: String tags: [ID!] addTags: [ID!] removeTags: [ID!] addTagIds: [ID!] addLabels: [ID!]
  }
  input TagChange { add: [ID!] remove: [ID!] }
  input PostEdit { tags: TagChange }
  type Mutation {
    editPost(id: ID!, input: PostEdit!): Post
    createPost(input: PostInput!): Post
    updatePost(id: ID!, input: PostInput!): Post
  }
`;

function mockOf() {
  const mock = createMock(SCHEMA, undefined, { conventions: "common" });
  mock.db.loadData({
    posts: [{ id: "1", title: "One", tagIds: ["1", "2"] }],
    tags: ["a", "b", "c"].map((name, index) => ({
      id: `${index + 1}`,
      name,
      postIds: index < 2 ? ["1"] : [],
    })),
  });
  const tagsAfter = async (input: string) => {
    await mock.query(`mutation { updatePost(id: 1, input: ${input}) { id } }`);
    const { posts, tags } = await mock.query("{ posts { tags { name } } tags { posts { id } } }");
    return { posts, tags };
  };
  return { mock, tagsAfter };
}

const CHANGES = [
  ['{ addTags: ["3"] }', "abc"],
  ['{ removeTags: ["1"] }', "b"],
  ['{ title: "Two", addTags: ["3"], removeTags: ["1", "2"] }', "c"],
  ['{ addTagIds: ["3"] }', "abc"],
  ["{ addTags: [] }", "ab"],
  ["{ addTags: null }", "ab"],
] as const;

for (const [input, names] of CHANGES) {
  Deno.test(`an update with ${input} leaves the tags "${names}", on both sides`, async () => {
    const { tagsAfter } = mockOf();
    const held = [...names];
    deepStrictEqual(await tagsAfter(input), {
      posts: [{ tags: held.map((name) => ({ name })) }],
      tags: ["a", "b", "c"].map((name) => ({ posts: held.includes(name) ? [{ id: "1" }] : [] })),
    });
  });
}

Deno.test("a creation with addTags has them", async () => {
  const { mock } = mockOf();
  const { createPost } = await mock.query(
    'mutation { createPost(input: { title: "New", addTags: ["3", "1"] }) { tags { name } } }',
  );
  deepStrictEqual(createPost, { tags: [{ name: "c" }, { name: "a" }] });
});

Deno.test("an input for a list may have what to add and to remove", async () => {
  const { mock } = mockOf();
  const { editPost } = await mock.query(
    'mutation { editPost(id: 1, input: { tags: { add: ["3"], remove: ["1"] } }) { tags { name } } }',
  );
  deepStrictEqual(editPost, { tags: [{ name: "b" }, { name: "c" }] });
});

const REJECTED = [
  ['{ addTags: ["9"] }', /there is no Tag|"9"/],
  ['{ addLabels: ["1"] }', /Cannot write "addLabels" of Post: it has no such list/],
  ['{ tags: ["1"], addTags: ["2"] }', /Cannot write "addTags" of Post: "tags" names the same list/],
] as const;

for (const [input, message] of REJECTED) {
  Deno.test(`an update with ${input} is rejected, and changes nothing`, async () => {
    const { mock, tagsAfter } = mockOf();
    await rejects(tagsAfter(input), message);
    deepStrictEqual(await mock.query("{ posts { tags { name } } }"), {
      posts: [{ tags: [{ name: "a" }, { name: "b" }] }],
    });
  });
}
