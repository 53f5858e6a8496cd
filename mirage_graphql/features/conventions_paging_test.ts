import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  scalar Cursor
  input Pagination { page: Int pageSize: Int start: Int limit: Int }
  input PageInput { offset: Int = 0 limit: Int = 2 }
  input PostOptions { paginate: PageInput sort: String title: String }
  input PostUnique { id: ID }
  type Post { id: ID! title: String rank: Int limits(limit: Int): [Post!]! author: Author }
  type Author { id: ID! name: String posts(first: Int, skip: Int, title: String): [Post!]! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type PostEdge { cursor: String! node: Post! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
  type Query {
    limited(limit: Int, offset: Int, title: String): [Post!]!
    taken(take: Int, skip: Int, cursor: PostUnique): [Post!]!
    paged(page: Int, perPage: Int): [Post!]!
    sized(page: Int, pageSize: Int): [Post!]!
    snake(page_number: Int, page_size: Int): [Post!]!
    numbered(page: Int): [Post!]!
    strapi(pagination: Pagination): [Post!]!
    grouped(options: PostOptions): [Post!]!
    relay(first: Int, after: String, last: Int, before: String): [Post!]!
    prisma(first: Int, skip: Int, after: ID): [Post!]!
    token(limit: Int, nextToken: String): [Post!]!
    defaulted(limit: Int = 2): [Post!]!
    sorted(limit: Int, orderBy: String, title: String): [Post!]!
    postPage(first: Int, after: Cursor, offset: Int, limit: Int, page: Int, title: String): PostConnection!
    authors: [Author!]!
    ranked(rank: Int, page: Int): [Ranked!]!
  }
  type Ranked { id: ID! page: Int }
`;

const TITLES = ["a", "b", "a", "b", "a"];
const DATA = {
  authors: [{ id: "1", postIds: ["5", "3", "1"] }],
  posts: TITLES.map((title, index) => ({ id: String(index + 1), title, rank: 5 - index })),
  rankeds: [{ id: "1", page: 1 }, { id: "2", page: 2 }],
};

const PAGES: readonly [field: string, ids: string][] = [
  ["limited", "12345"],
  ["limited(limit: 2)", "12"],
  ["limited(offset: 3)", "45"],
  ["limited(limit: 2, offset: 3)", "45"],
  ["limited(limit: 0)", ""],
  ["limited(limit: 9, offset: 9)", ""],
  ["limited(limit: null, offset: null)", "12345"],
  [`limited(title: "a", limit: 2, offset: 1)`, "35"],
  ["taken(take: 2, skip: 1)", "23"],
  ["taken(take: -2)", "45"],
  ["taken(take: -1)", "5"],
  ["limited(limit: -1)", "12345"],
  ["taken(take: 2, cursor: { id: 3 })", "34"],
  ["taken(take: 2, skip: 1, cursor: { id: 3 })", "45"],
  ["paged(page: 1, perPage: 2)", "12"],
  ["paged(page: 3, perPage: 2)", "5"],
  ["paged(page: 0, perPage: 2)", "12"],
  ["paged(perPage: 2)", "12"],
  ["sized(page: 2, pageSize: 2)", "34"],
  ["snake(page_number: 2, page_size: 3)", "45"],
  ["numbered(page: 1)", "12345"],
  ["numbered(page: 2)", ""],
  ["strapi(pagination: { page: 2, pageSize: 2 })", "34"],
  ["strapi(pagination: { start: 1, limit: 2 })", "23"],
  ["strapi(pagination: {})", "12345"],
  ["grouped(options: { paginate: { offset: 1 } })", "23"],
  [`grouped(options: { title: "a", paginate: { limit: 9 } })`, "135"],
  [`grouped(options: { sort: "rank" })`, "54321"],
  ["relay(first: 2)", "12"],
  ["relay(last: 2)", "45"],
  [`relay(first: 2, after: "2")`, "34"],
  [`relay(first: 2, after: "${btoa("Post:2")}")`, "34"],
  [`relay(before: "4", last: 2)`, "23"],
  ["prisma(first: 1, skip: 1, after: 2)", "4"],
  [`token(limit: 2, nextToken: "2")`, "34"],
  ["defaulted", "12"],
  ["defaulted(limit: 4)", "1234"],
  [`sorted(orderBy: "rank", limit: 2)`, "54"],
  [`sorted(orderBy: "rank", limit: 2, title: "b")`, "42"],
];

for (const [field, ids] of PAGES) {
  Deno.test(`with the convention of paging, ${field} returns the records "${ids}"`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    const [records] = Object.values(await data(`{ ${field} { id } }`));
    deepStrictEqual((records as { id: string }[]).map(({ id }) => id).join(""), ids);
  });
}

Deno.test("a list of a relation is paged, after its filter", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: { paging: true } });
  deepStrictEqual(
    await data(`{ authors { posts(first: 1, skip: 1, title: "a") { id } } }`),
    { authors: [{ posts: [{ id: "3" }] }] },
  );
});

Deno.test("a connection can be paged by offset too, and its total counts all pages", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: { paging: true } });
  const page = `nodes { id } totalCount pageInfo { hasNextPage hasPreviousPage }`;
  const after = `"${btoa("Post:1")}"`;
  deepStrictEqual(
    await data(`{
      offset: postPage(first: 1, offset: 1, title: "a") { ${page} }
      page: postPage(limit: 2, page: 3) { ${page} }
      after: postPage(first: 1, after: ${after}) { ${page} }
    }`),
    {
      offset: {
        nodes: [{ id: "3" }],
        totalCount: 3,
        pageInfo: { hasNextPage: true, hasPreviousPage: true },
      },
      page: {
        nodes: [{ id: "5" }],
        totalCount: 5,
        pageInfo: { hasNextPage: false, hasPreviousPage: true },
      },
      after: {
        nodes: [{ id: "2" }],
        totalCount: 5,
        pageInfo: { hasNextPage: true, hasPreviousPage: true },
      },
    },
  );
});

Deno.test("an argument that names an attribute filters, even if it could page", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  deepStrictEqual(await data("{ ranked(page: 2) { id } }"), { ranked: [{ id: "2" }] });
});

Deno.test("an invalid page is an error, or is ignored like unknown arguments and cursors", async () => {
  const strict = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  const lenient = createMockServer(SCHEMA, {
    data: DATA,
    conventions: "common",
    unknownArguments: "ignore",
  });
  deepStrictEqual(await strict.errors("{ relay(first: -1) { id } }"), [
    "Cannot page with first -1: it must be 0 or more",
  ]);
  deepStrictEqual(await strict.data(`{ relay(after: "x") { id } }`), {
    relay: DATA.posts.map(({ id }) => ({ id })),
  });
  deepStrictEqual(
    await lenient.data(`{ relay(first: -1, after: "x") { id } }`),
    { relay: DATA.posts.map(({ id }) => ({ id })) },
  );
});

Deno.test("without the convention, paging arguments are still errors", async () => {
  for (const conventions of ["strict", { ordering: true }] as const) {
    const { errors } = createMockServer(SCHEMA, { data: DATA, conventions });
    const [message] = await errors("{ limited(limit: 1) { id } }");
    match(message ?? "", /^Cannot filter Query.limited by the argument "limit"/);
  }
});
