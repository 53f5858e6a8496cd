import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

/** In the style of Strapi 5: no `id`, but a `documentId`. */
const DOCUMENTS = `
  type Restaurant { documentId: ID! name: String reviews: [Review!]! }
  type Review { documentId: ID! text: String restaurant: Restaurant }
  input RestaurantInput { documentId: ID name: String reviews: [ID!] }
  input ReviewInput { text: String restaurant: ID }
  input IdFilter { eq: ID in: [ID!] }
  input RestaurantFilters { documentId: IdFilter name: String }
  type DeleteMutationResponse { documentId: ID! }
  type Query {
    restaurant(documentId: ID!): Restaurant
    restaurants(filters: RestaurantFilters): [Restaurant!]!
    reviews: [Review!]!
  }
  type Mutation {
    createRestaurant(data: RestaurantInput!): Restaurant
    updateRestaurant(documentId: ID!, data: RestaurantInput!): Restaurant
    deleteRestaurant(documentId: ID!): DeleteMutationResponse
    createReview(data: ReviewInput!): Review
  }
`;

const documents = () =>
  createMockServer(DOCUMENTS, {
    conventions: "common",
    data: {
      restaurants: [{ id: "1", documentId: "r1", name: "Ox" }, { id: "2", name: "Elm" }],
    },
  });

const DOCUMENT_ANSWERS: readonly [operation: string, expected: unknown][] = [
  [`{ restaurant(documentId: "r1") { documentId name } }`, { documentId: "r1", name: "Ox" }],
  [`{ restaurant(documentId: "2") { documentId name } }`, { documentId: "2", name: "Elm" }],
  // a record with its own documentId is not found by its id
  [`{ restaurant(documentId: "1") { name } }`, null],
  [`{ restaurants(filters: { documentId: { in: ["r1", "2"] } }) { name } }`, [
    { name: "Ox" },
    { name: "Elm" },
  ]],
  [`mutation { createRestaurant(data: { name: "Ash" }) { documentId name } }`, {
    documentId: "3",
    name: "Ash",
  }],
  [`mutation { createRestaurant(data: { documentId: "x", name: "Ash" }) { documentId } }`, {
    documentId: "x",
  }],
  [`mutation { updateRestaurant(documentId: "r1", data: { name: "Yew" }) { documentId name } }`, {
    documentId: "r1",
    name: "Yew",
  }],
  [`mutation { updateRestaurant(documentId: "2", data: { name: "Yew" }) { name } }`, {
    name: "Yew",
  }],
  [`mutation { deleteRestaurant(documentId: "r1") { documentId } }`, { documentId: "r1" }],
  [
    `mutation { createReview(data: { text: "x", restaurant: "r1" }) { restaurant { name } } }`,
    { restaurant: { name: "Ox" } },
  ],
];

for (const [operation, expected] of DOCUMENT_ANSWERS) {
  Deno.test(`with a documentId instead of an id ${operation} is answered`, async () => {
    deepStrictEqual(Object.values(await documents().data(operation)), [expected]);
  });
}

Deno.test("records are changed and deleted by their documentId, and not by another record's id", async () => {
  const { data, errors, dump } = documents();
  const [message = ""] = await errors(
    `mutation { deleteRestaurant(documentId: "1") { documentId } }`,
  );
  match(message, /^Cannot delete Restaurant "1": there is no record with this id/);
  strictEqual(dump().restaurants?.length, 2);
  await data(`mutation { deleteRestaurant(documentId: "r1") { documentId } }`);
  deepStrictEqual(dump().restaurants?.map(({ name }) => name), ["Elm"]);
});

/** In the style of PostGraphile: a `nodeId` in addition to the database's own `id`. */
const NODES = `
  interface Node { nodeId: ID! }
  type User implements Node { nodeId: ID! id: Int! name: String! posts: [Post!]! }
  type Post implements Node { nodeId: ID! id: Int! title: String! userId: Int user: User }
  input PostInput { title: String! userId: Int }
  input CreatePostInput { clientMutationId: String post: PostInput! }
  input PostPatch { title: String }
  input UpdatePostInput { clientMutationId: String nodeId: ID! postPatch: PostPatch! }
  input DeletePostInput { clientMutationId: String nodeId: ID! }
  type PostPayload { clientMutationId: String post: Post }
  type DeletePostPayload { clientMutationId: String post: Post deletedPostId: ID }
  type Query {
    node(nodeId: ID!): Node
    users: [User!]!
    post(id: Int!): Post
    postByNodeId(nodeId: ID!): Post
  }
  type Mutation {
    createPost(input: CreatePostInput!): PostPayload
    updatePost(input: UpdatePostInput!): PostPayload
    deletePost(input: DeletePostInput!): DeletePostPayload
  }
`;

const nodes = (ids?: "global") =>
  createMockServer(NODES, {
    conventions: "common",
    ids,
    data: {
      users: [{ id: "1", name: "Ada", postIds: ["1"] }],
      posts: [{ id: "1", title: "One", userId: "1" }, { id: "2", title: "Two", nodeId: "own" }],
    },
  });

const POST_1 = btoa("Post:1");

const NODE_ANSWERS: readonly [operation: string, expected: unknown][] = [
  ["{ users { nodeId id posts { nodeId } } }", [
    { nodeId: btoa("User:1"), id: 1, posts: [{ nodeId: POST_1 }] },
  ]],
  [`{ node(nodeId: "${POST_1}") { nodeId __typename } }`, { nodeId: POST_1, __typename: "Post" }],
  [`{ node(nodeId: "own") { ... on Post { title } } }`, { title: "Two" }],
  [`{ node(nodeId: "${btoa("Post:9")}") { nodeId } }`, null],
  [`{ postByNodeId(nodeId: "${POST_1}") { title } }`, { title: "One" }],
  [`{ postByNodeId(nodeId: "${btoa("User:1")}") { title } }`, null],
  [`mutation { createPost(input: { post: { title: "x", userId: 1 } }) { post { nodeId id } } }`, {
    post: { nodeId: btoa("Post:3"), id: 3 },
  }],
  [
    `mutation { updatePost(input: { nodeId: "${POST_1}", postPatch: { title: "y" } }) { post { id title } } }`,
    { post: { id: 1, title: "y" } },
  ],
  [
    `mutation { updatePost(input: { nodeId: "own", postPatch: { title: "y" } }) { post { id } } }`,
    { post: { id: 2 } },
  ],
  [
    `mutation { deletePost(input: { nodeId: "${POST_1}" }) { deletedPostId post { nodeId title } } }`,
    {
      deletedPostId: POST_1,
      post: { nodeId: POST_1, title: "One" },
    },
  ],
];

for (const [operation, expected] of NODE_ANSWERS) {
  Deno.test(`with a nodeId in addition to the id, ${operation} is answered`, async () => {
    deepStrictEqual(Object.values(await nodes().data(operation)), [expected]);
  });
}

Deno.test("a nodeId has the format of the option ids, and finds no record of another type", async () => {
  const { data, answer, dump } = nodes("global");
  deepStrictEqual(await data(`{ node(nodeId: "Post:1") { nodeId } post(id: 1) { nodeId id } }`), {
    node: { nodeId: "Post:1" },
    post: { nodeId: "Post:1", id: 1 },
  });
  const { errors } = await answer(
    `mutation { deletePost(input: { nodeId: "User:1" }) { clientMutationId } }`,
  );
  match(errors[0] ?? "", /^Cannot delete Post "User:1": it is the id of a User$/);
  notStrictEqual(dump().posts?.length, 1);
});
