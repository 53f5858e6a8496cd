import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Query { posts: [Post!]! users: [User!]! viewer: User }
  type User { id: ID! name: String posts: [Post!]! }
  type Post { id: ID! title: String author: User }
  input Text { eq: String }
  input Where { id: ID title: Text authorId: ID and: [Where!] }
  input Data { title: String author: Author }
  input Author { connect: Unique }
  input Unique { id: ID }
  input UserInput { name: String }
  input Update { id: ID! title: String }
  type Count { count: Int! }
  type Mutation {
    deletePosts(where: Where): Count!
    updatePosts(where: Where!, data: Data!): Count!
    updatePost(input: Update!, condition: Where): Post
    updateViewer(input: UserInput!): User
    upsertPost(where: Where!, create: Data!, update: Data!): Post
  }
`;

const DATA = {
  users: [{ id: "1", name: "Ada", postIds: ["1", "2"] }, { id: "2", name: "Bea", postIds: [] }],
  posts: [{ id: "1", title: "One", authorId: "1" }, { id: "2", title: "Two", authorId: "1" }],
};

/** Requests with variables that have no value, which graphql-js leaves out. */
const WITHOUT_VALUE = [
  "mutation($id: ID) { deletePosts(where: { authorId: $id }) { count } }",
  "mutation($id: ID) { deletePosts(where: { authorId: 1, id: $id }) { count } }",
  "mutation($title: String) { deletePosts(where: { title: { eq: $title } }) { count } }",
  'mutation($id: ID) { updatePosts(where: { and: [{ id: $id }] }, data: { title: "X" }) { count } }',
];

for (const request of WITHOUT_VALUE) {
  Deno.test(`writes by convention: ${request} is rejected if the variable has no value`, async () => {
    const { errors, dump } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    const before = dump();
    const [message = ""] = await errors(request);
    match(message, /^Cannot find the records of \w+: the variable "\w+" has no value/);
    deepStrictEqual(dump(), before);
  });
}

Deno.test("writes by convention: a variable without a value in the data is left out", async () => {
  const { data, dump } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  const request =
    "mutation($title: String) { updatePosts(where: { id: 1 }, data: { title: $title }) " +
    "{ count } }";
  deepStrictEqual(await data(request), { updatePosts: { count: 1 } });
  deepStrictEqual(dump().posts?.[0]?.title, "One");
});

Deno.test("writes by convention: an unmet condition has a code of its own", async () => {
  const { handler } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  const request =
    'mutation { updatePost(input: { id: 1, title: "X" }, condition: { title: { eq: "?" } }) { id } }';
  const thrown = await handler.query(request).then(() => undefined, (error: unknown) => error);
  match(JSON.stringify(thrown), /"code":"CONDITIONAL_CHECK_FAILED"/);
});

Deno.test("writes by convention: unknown arguments are rejected even if queries ignore them", async () => {
  const { answer, dump } = createMockServer(
    `type Query { posts: [Post!]! } type Post { id: ID! title: String }
     input Where { near: String }
     type Mutation { deletePosts(where: Where!): [Post!] }`,
    { data: { posts: DATA.posts }, conventions: "common", unknownArguments: "ignore" },
  );
  const before = dump();
  const { errors: [message = ""] } = await answer(
    'mutation { deletePosts(where: { near: "x" }) { id } }',
  );
  match(message, /^Cannot find Post by "near": it has no such attribute/);
  deepStrictEqual(dump(), before);
});

Deno.test("writes by convention: the current record is that of the user-defined resolver", async () => {
  const { data, dump } = createMockServer(SCHEMA, {
    data: DATA,
    conventions: "common",
    resolvers: { Query: { viewer: () => ({ id: "2" }) } },
  });
  deepStrictEqual(await data('mutation { updateViewer(input: { name: "X" }) { id name } }'), {
    updateViewer: { id: "2", name: "X" },
  });
  deepStrictEqual(dump().users?.map(({ name }) => name), ["Ada", "X"]);
});

Deno.test("writes by convention: records are found by global ids, plain ones, and relations", async () => {
  const { data, errors } = createMockServer(SCHEMA, {
    data: DATA,
    conventions: "common",
    ids: "global",
  });
  const count = { count: 1 };
  const title = '{ title: "X", author: { connect: { id: "User:2" } } }';
  deepStrictEqual(
    await data(`mutation { updatePosts(where: { id: "Post:1" }, data: ${title}) { count } }`),
    {
      updatePosts: count,
    },
  );
  deepStrictEqual(await data('mutation { deletePosts(where: { authorId: "User:2" }) { count } }'), {
    deletePosts: count,
  });
  deepStrictEqual(await data('mutation { deletePosts(where: { id: "User:2" }) { count } }'), {
    deletePosts: { count: 0 },
  });
  const [message = ""] = await errors(
    'mutation { updatePosts(where: { id: 2 }, data: { author: { connect: { id: "Post:2" } } }) { count } }',
  );
  match(message, /there is no User "Post:2"/);
});
