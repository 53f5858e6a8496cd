import { deepStrictEqual, ok } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

const SCHEMA = `
  enum Status { DRAFT LIVE }
  enum Order { ID_ASC TITLE_DESC }
  input Where { title: String }
  type Post { id: ID! title: String status: Status comments(status: Status = LIVE): [Comment!]! }
  type Comment { id: ID! status: Status }
  type Query {
    posts(status: Status = DRAFT, reverse: Boolean = false, title: String): [Post!]!
    ordered(orderBy: [Order!] = [ID_ASC], where: Where! = {}): [Post!]!
    post(id: ID, title: String = "Two"): Post
    byStatus(status: Status! = LIVE): [Post!]!
  }
`;

const DATA = {
  posts: [
    { id: "1", title: "One", status: "LIVE", commentIds: ["1", "2"] },
    { id: "2", title: "Two", status: "DRAFT", commentIds: [] },
  ],
  comments: [{ id: "1", status: "DRAFT" }, { id: "2", status: "LIVE" }],
};

const ALL = [{ id: "1" }, { id: "2" }];
const [ONE, TWO] = ALL;

const CASES: readonly [query: string, variables: object, expected: object][] = [
  ["{ posts { id } }", {}, { posts: ALL }],
  ["{ posts(status: DRAFT) { id } }", {}, { posts: [TWO] }],
  ["{ posts(status: null) { id } }", {}, { posts: ALL }],
  [`{ posts(title: "One") { id } }`, {}, { posts: [ONE] }],
  ["{ ordered { id } }", {}, { ordered: ALL }],
  ["{ post { id } }", {}, { post: ONE }],
  ["{ post(id: 1) { id } }", {}, { post: ONE }],
  [`{ post(title: "Two") { id } }`, {}, { post: TWO }],
  ["query ($s: Status) { posts(status: $s) { id } }", {}, { posts: ALL }],
  ["query ($s: Status) { posts(status: $s) { id } }", { s: null }, { posts: ALL }],
  ["query ($s: Status) { posts(status: $s) { id } }", { s: "LIVE" }, { posts: [ONE] }],
  ["query ($s: Status) { byStatus(status: $s) { id } }", {}, { byStatus: ALL }],
  ["query ($s: Status = DRAFT) { byStatus(status: $s) { id } }", {}, { byStatus: [TWO] }],
  ["{ posts { comments { id } } }", {}, { posts: [{ comments: ALL }, { comments: [] }] }],
  [
    "{ posts { comments(status: LIVE) { id } } }",
    {},
    { posts: [{ comments: [TWO] }, { comments: [] }] },
  ],
];

for (const [query, variables, expected] of CASES) {
  Deno.test(`a default of the schema does not filter: ${query} ${JSON.stringify(variables)}`, () => {
    const mock = createPlannedMock(SCHEMA, { data: DATA });
    const { data, errors } = mock.executed(query, { ...variables });
    deepStrictEqual(errors, undefined);
    deepStrictEqual(JSON.parse(JSON.stringify(data)), expected);
    const planned = mock.planned(query, { ...variables });
    // input objects are left to graphql-js
    ok(planned !== undefined || query.includes("ordered"));
    if (planned) deepStrictEqual(JSON.parse(JSON.stringify(planned)), expected);
  });
}

Deno.test("a default that a resolver replaces filters, and so does an argument that it adds", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        posts: (obj, args, context, info) =>
          mockGraphQLFieldResolver(
            obj,
            { ...args, reverse: undefined, status: "LIVE" },
            context,
            info,
          ),
        byStatus: (obj, _args, context, info) =>
          mockGraphQLFieldResolver(obj, { title: "Two" }, context, info),
      },
    },
  });
  deepStrictEqual(await data("{ posts { id } byStatus { id } }"), {
    posts: [ONE],
    byStatus: [TWO],
  });
});

Deno.test('unknownArguments: "ignore" ignores arguments that match no attribute', async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, unknownArguments: "ignore" });
  deepStrictEqual(
    await data(
      `{ posts(reverse: true, status: LIVE) { id } ordered(where: { title: "One" }) { id } }`,
    ),
    { posts: [ONE], ordered: ALL },
  );
});
