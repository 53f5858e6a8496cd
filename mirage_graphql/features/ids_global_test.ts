import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  interface Node { id: ID! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type PostEdge { node: Post! cursor: String! }
  type PostConnection { edges: [PostEdge!]! pageInfo: PageInfo! }
  type Person implements Node { id: ID! name: String posts: [Post!]! }
  type Post implements Node {
    id: ID! title: String author: Person authorId: ID subject: Node subjectId: ID tags: [Tag!]! tagIds: [ID!]!
  }
  type Tag implements Node { id: ID! label: String }
  type Film { id: Int! title: String }
  union Result = Person | Post
  input IdExp { eq: ID ne: ID in: [ID!] notIn: [ID!] gt: ID }
  input PersonWhere { id: IdExp name: String }
  input PostWhere { id: IdExp id_in: [ID!] authorId: IdExp author: PersonWhere subjectId: IdExp tagIds: [ID!] not: PostWhere }
  input PostInput {
    id: ID title: String authorId: ID subjectId: ID tagIds: [ID!] author: PersonLink
  }
  input PersonLink { connect: PersonKey disconnect: Boolean }
  input PersonKey { id: ID }
  input PersonInput { id: ID name: String postIds: [ID!] }
  input DeletePersonInput { personId: ID! clientMutationId: String }
  type DeletePersonPayload { deletedPersonId: ID clientMutationId: String }
  type CreatePostPayload { post: Post postEdge: PostEdge }
  type Query {
    people(id: [ID!], where: PersonWhere): [Person!]!
    person(id: ID!): Person
    posts(authorId: ID, author: ID, ids: [ID!], tagIds: [ID!], where: PostWhere): [Post!]!
    post(postId: ID!): Post
    postPage(first: Int, after: String): PostConnection!
    film(id: Int!): Film
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    results(id: [ID!]): [Result!]!
  }
  type Mutation {
    createPost(input: PostInput!): Post
    updatePost(id: ID!, input: PostInput!): Post
    deletePost(id: ID!): Post
    createPerson(input: PersonInput!): Person
    deletePerson(input: DeletePersonInput!): DeletePersonPayload
    removePost(id: ID!): ID
    deletePosts(ids: [ID!]!): [Post!]!
    addPost(title: String, authorId: ID): CreatePostPayload
  }
`;

const DATA = {
  people: [{ id: "1", name: "Ada", postIds: ["1"] }, { id: "2", name: "Bea", postIds: ["2"] }],
  posts: [
    { id: "1", title: "One", authorId: "1", subjectId: { type: "person", id: "1" }, tagIds: ["2"] },
    { id: "2", title: "Two", authorId: "2", subjectId: { type: "post", id: "1" }, tagIds: [] },
  ],
  tags: [{ id: "1", label: "red" }, { id: "2", label: "blue" }],
  films: [{ id: "1", title: "Alien" }],
};

const mock = () => createMockServer(SCHEMA, { data: DATA, conventions: "common", ids: "global" });

/** Requests and their responses; ids contain their type. */
const ANSWERS: readonly [operation: string, expected: unknown][] = [
  ["{ people { id } }", [{ id: "Person:1" }, { id: "Person:2" }]],
  [
    "{ post(postId: 1) { id authorId subjectId tagIds subject { id } tags { id } } }",
    {
      id: "Post:1",
      authorId: "Person:1",
      subjectId: "Person:1",
      tagIds: ["Tag:2"],
      subject: { id: "Person:1" },
      tags: [{ id: "Tag:2" }],
    },
  ],
  ["{ film(id: 1) { id title } }", { id: 1, title: "Alien" }],
  // plain ids are accepted too
  [`{ person(id: "Person:2") { name } }`, { name: "Bea" }],
  ["{ person(id: 2) { name } }", { name: "Bea" }],
  [`{ people(id: ["Person:2", "1"]) { name } }`, [{ name: "Ada" }, { name: "Bea" }]],
  [`{ post(postId: "Post:2") { title } }`, { title: "Two" }],
  [`{ posts(ids: ["Post:2"]) { title } }`, [{ title: "Two" }]],
  [`{ posts(authorId: "Person:2") { title } }`, [{ title: "Two" }]],
  [`{ posts(author: "Person:2") { title } }`, [{ title: "Two" }]],
  [`{ posts(tagIds: ["Tag:2"]) { title } }`, [{ title: "One" }]],
  // never a record of another type
  [`{ person(id: "Post:2") { name } }`, null],
  [`{ people(id: ["Post:2"]) { name } }`, []],
  [`{ posts(authorId: "Post:2") { title } }`, []],
  [`{ people(where: { id: { eq: "Post:1" } }) { name } }`, []],
  [`{ people(where: { id: { ne: "Post:1" } }) { name } }`, [{ name: "Ada" }, { name: "Bea" }]],
  [`{ posts(where: { subjectId: { eq: "Post:1" } }) { title } }`, [{ title: "Two" }]],
  [`{ posts(where: { subjectId: { eq: "Person:1" } }) { title } }`, [{ title: "One" }]],
  [`{ results(id: ["Post:1"]) { __typename } }`, [{ __typename: "Post" }]],
  [`{ node(id: "Tag:2") { id __typename } }`, { id: "Tag:2", __typename: "Tag" }],
  [`{ node(id: "Post:2") { ... on Post { title } } }`, { title: "Two" }],
  [`{ node(id: "Post:9") { id } }`, null],
  [`{ node(id: "Film:1") { id } }`, null],
  [`{ nodes(ids: ["Tag:2", "Post:9", "Post:2", "Film:1"]) { id __typename } }`, [
    { id: "Tag:2", __typename: "Tag" },
    null,
    { id: "Post:2", __typename: "Post" },
    null,
  ]],
  // filters with operators
  [`{ people(where: { id: { eq: "Person:2" } }) { name } }`, [{ name: "Bea" }]],
  [`{ people(where: { id: { ne: "Person:2" } }) { name } }`, [{ name: "Ada" }]],
  [`{ people(where: { id: { in: ["1", "Person:2", "Post:1"] } }) { id } }`, [
    { id: "Person:1" },
    { id: "Person:2" },
  ]],
  [`{ people(where: { id: { notIn: ["Person:1"] } }) { name } }`, [{ name: "Bea" }]],
  [`{ people(where: { id: { gt: "Person:1" } }) { name } }`, [{ name: "Bea" }]],
  [`{ posts(where: { id_in: ["Post:1"] }) { title } }`, [{ title: "One" }]],
  [`{ posts(where: { authorId: { eq: "Person:1" } }) { title } }`, [{ title: "One" }]],
  [`{ posts(where: { author: { id: { eq: "Person:1" } } }) { title } }`, [{ title: "One" }]],
  [`{ posts(where: { tagIds: ["Tag:2"] }) { title } }`, [{ title: "One" }]],
  [`{ posts(where: { not: { id: { eq: "Post:1" } } }) { title } }`, [{ title: "Two" }]],
  // pages continue after a cursor, or after an id
  [`{ postPage(first: 1, after: "Post:1") { edges { node { id } } } }`, {
    edges: [{ node: { id: "Post:2" } }],
  }],
  // mutations
  [
    `mutation { createPost(input: { title: "x", authorId: "Person:2", tagIds: ["Tag:1", 2] }) { id author { name } tagIds } }`,
    { id: "Post:3", author: { name: "Bea" }, tagIds: ["Tag:1", "Tag:2"] },
  ],
  [
    `mutation { createPost(input: { subjectId: "Tag:1" }) { subject { id __typename } } }`,
    { subject: { id: "Tag:1", __typename: "Tag" } },
  ],
  [
    `mutation { createPost(input: { author: { connect: { id: "Person:2" } } }) { authorId } }`,
    { authorId: "Person:2" },
  ],
  [`mutation { createPerson(input: { id: "Person:7" }) { id } }`, { id: "Person:7" }],
  [
    `mutation { createPerson(input: { postIds: ["Post:1", "2"] }) { posts { id authorId } } }`,
    {
      posts: [{ id: "Post:1", authorId: "Person:3" }, { id: "Post:2", authorId: "Person:3" }],
    },
  ],
  [
    `mutation { updatePost(id: "Post:2", input: { id: "Post:2", title: "y" }) { id title } }`,
    { id: "Post:2", title: "y" },
  ],
  [`mutation { updatePost(id: 2, input: { title: "y" }) { id } }`, { id: "Post:2" }],
  [`mutation { deletePost(id: "Post:2") { id authorId } }`, {
    id: "Post:2",
    authorId: "Person:2",
  }],
  [
    `mutation { deletePerson(input: { personId: "Person:1" }) { deletedPersonId } }`,
    { deletedPersonId: "Person:1" },
  ],
  [`mutation { removePost(id: "Post:1") }`, "Post:1"],
  [`mutation { deletePosts(ids: ["Post:2", 1]) { id } }`, [{ id: "Post:2" }, { id: "Post:1" }]],
];

for (const [operation, expected] of ANSWERS) {
  Deno.test(`with global ids ${operation} is answered`, async () => {
    const data = await mock().data(operation);
    deepStrictEqual(Object.values(data), [expected]);
  });
}

const REFUSED: readonly [mutation: string, message: RegExp][] = [
  [
    `deletePost(id: "Person:1") { id }`,
    /^Cannot delete Post "Person:1": it is the id of a Person$/,
  ],
  [
    `updatePost(id: "Tag:1", input: { title: "x" }) { id }`,
    /^Cannot update Post "Tag:1": it is the id of a Tag$/,
  ],
  [
    `createPost(input: { authorId: "Post:1" }) { id }`,
    /^Cannot link "Post:1" as "authorId" of Post: there is no Person "Post:1"; it is the id of a Post$/,
  ],
  [
    `createPost(input: { author: { connect: { id: "Tag:1" } } }) { id }`,
    /^Cannot link "Tag:1" as "author" of Post: there is no Person "Tag:1"; it is the id of a Tag$/,
  ],
  [`deletePost(id: "Post:9") { id }`, /^Cannot delete Post "Post:9": there is no record with this/],
  [`removePost(id: "Tag:1")`, /^Cannot delete Post "Tag:1": it is the id of a Tag$/],
  [
    `createPerson(input: { id: "Post:9" }) { id }`,
    /^Cannot create Person "Post:9": it is the id of a Post$/,
  ],
];

for (const [mutation, message] of REFUSED) {
  Deno.test(`with global ids ${mutation} is rejected, and nothing is written`, async () => {
    const { errors, dump } = mock();
    const before = JSON.stringify(dump());
    const [first = ""] = await errors(`mutation { ${mutation} }`);
    match(first, message);
    strictEqual(JSON.stringify(dump()), before);
  });
}

Deno.test("ids in base64 are those of Relay, the database has plain ones, and cursors are unchanged", async () => {
  const page = `{ postPage(first: 1) { edges { cursor } } }`;
  const local = createMockServer(SCHEMA, { data: DATA });
  const global = createMockServer(SCHEMA, { data: DATA, ids: "global-base64" });
  deepStrictEqual(await global.data(`{ person(id: "UGVyc29uOjE=") { id name } }`), {
    person: { id: "UGVyc29uOjE=", name: "Ada" },
  });
  await global.data(`mutation { createPost(input: { authorId: "UGVyc29uOjI=" }) { id } }`);
  strictEqual(global.dump().posts?.[2]?.authorId, "2");
  deepStrictEqual(await global.data(page), await local.data(page));
});

Deno.test("resolvers receive records with plain ids, and arguments as in the request", async () => {
  const seen: unknown[] = [];
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    ids: "global",
    resolvers: {
      Person: { name: ({ id }) => `Person ${id}` },
      Query: {
        person(_obj, { id }, { mockSchema }) {
          seen.push(id);
          return (mockSchema as { people?: { find(id: string): unknown } }).people?.find("2");
        },
      },
    },
  });
  deepStrictEqual(await data(`{ person(id: "Person:2") { id name posts { id authorId } } }`), {
    person: {
      id: "Person:2",
      name: "Person 2",
      posts: [{ id: "Post:2", authorId: "Person:2" }],
    },
  });
  deepStrictEqual(seen, ["Person:2"]);
});
