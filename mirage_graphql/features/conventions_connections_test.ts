import { deepStrictEqual } from "node:assert/strict";
import { buildSchema } from "graphql";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { delegateAll } from "../testing/delegate_all.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Post { id: ID! title: String tags(first: Int, after: String): StringConnection! }
  type StringEdge { node: String! cursor: String! }
  type StringConnection { edges: [StringEdge!]! nodes: [String!]! pageInfo: PageInfo! totalCount: Int! }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String total: Int currentPage: Int perPage: Int lastPage: Int }
  type PostEdge { cursor: String! node: Post! }
  type EdgeConnection { edges: [PostEdge!]! pageInfo: PageInfo! count: Int! totalItems: Int! }
  type FullConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! }
  type NodeConnection { nodes: [Post!]! totalCount: Int! }
  type ModelPostConnection { items: [Post]! nextToken: String }
  type PostFeed { cursor: String! hasMore: Boolean! posts: [Post]! }
  type Info { count: Int pages: Int next: Int prev: Int }
  type Posts { info: Info results: [Post] }
  type Pagination { total: Int! page: Int! pageSize: Int! pageCount: Int! }
  type Meta { pagination: Pagination! }
  type PostCollection { data: [Post!]! meta: Meta! }
  type posts_aggregate { aggregate: posts_aggregate_fields nodes: [Post!]! }
  type posts_aggregate_fields { count: Int! max: posts_max_fields }
  type posts_max_fields { title: String }
  type PostSearchPayload { edges: [PostEdge!]! nodes: [Post!]! archive: Archive pageInfo: PageInfo! totalCount: Float! }
  type User { id: ID! name: String }
  type Page { pageInfo: PageInfo posts(title_in: [String!], sort: [PostSort]): [Post] users: [User!]! }
  enum PostSort { TITLE TITLE_DESC }
  type PostResults { items: [Post] filters: [Facet] sorting: Sorting page_info: ResultInfo total_count: Int }
  type Facet { label: String }
  type Sorting { by: String }
  type ResultInfo { page_size: Int current_page: Int total_pages: Int }
  type Archive { size: Int }
  type Query {
    search(first: Int, title: String): PostSearchPayload!
    postTags(first: Int): StringConnection!
    postTitles(first: Int): StringConnection!
    results(pageSize: Int, currentPage: Int = 1): PostResults
    Page(page: Int, perPage: Int): Page!
    edges(first: Int, after: String): EdgeConnection!
    full(first: Int): FullConnection!
    nodes: NodeConnection!
    amplify(limit: Int, nextToken: String): ModelPostConnection
    feed(pageSize: Int, after: String): PostFeed!
    rick(page: Int): Posts
    strapi(page: Int, pageSize: Int): PostCollection
    posts_aggregate(limit: Int): posts_aggregate!
    post(id: ID!): Post
  }
`;

const ALL = ["1", "2", "3"].map((id) => ({ id }));
const [ONE, TWO, THREE] = ALL;
const cursor = (id: number) => btoa(`Post:${id}`);

const PAGES: readonly [query: string, expected: unknown][] = [
  ["edges(first: 2) { edges { node { id } } count totalItems pageInfo { hasNextPage total } }", {
    edges: [{ node: ONE }, { node: TWO }],
    count: 3,
    totalItems: 3,
    pageInfo: { hasNextPage: true, total: 3 },
  }],
  ["full(first: 1) { edges { node { id } } nodes { id } pageInfo { hasNextPage } }", {
    edges: [{ node: ONE }],
    nodes: [ONE],
    pageInfo: { hasNextPage: true },
  }],
  ["nodes { nodes { id } totalCount }", { nodes: ALL, totalCount: 3 }],
  ["amplify { items { id } nextToken }", { items: ALL, nextToken: null }],
  ["amplify(limit: 2) { items { id } nextToken }", { items: [ONE, TWO], nextToken: cursor(2) }],
  [`amplify(limit: 2, nextToken: "${cursor(2)}") { items { id } nextToken }`, {
    items: [THREE],
    nextToken: null,
  }],
  ["feed(pageSize: 2) { posts { id } cursor hasMore }", {
    posts: [ONE, TWO],
    cursor: cursor(2),
    hasMore: true,
  }],
  [`feed(after: "${cursor(2)}") { posts { id } cursor hasMore }`, {
    posts: [THREE],
    cursor: cursor(3),
    hasMore: false,
  }],
  ["rick(page: 1) { results { id } info { count pages next prev } }", {
    results: ALL,
    info: { count: 3, pages: 1, next: null, prev: null },
  }],
  [
    "Page(page: 2, perPage: 1) { pageInfo { total currentPage perPage lastPage hasNextPage } posts { id } users { id } }",
    {
      pageInfo: { total: 3, currentPage: 2, perPage: 1, lastPage: 3, hasNextPage: true },
      posts: [TWO],
      users: [],
    },
  ],
  ["Page(perPage: 2) { posts(sort: TITLE_DESC) { id } pageInfo { total hasNextPage } }", {
    posts: [THREE, TWO],
    pageInfo: { total: 3, hasNextPage: true },
  }],
  [
    `Page { ...on Page { found: posts(title_in: ["Title 2"]) { id } } pageInfo { total currentPage } }`,
    {
      found: [TWO],
      pageInfo: { total: 1, currentPage: 1 },
    },
  ],
  ["Page(page: 1, perPage: 5) { users { id } posts { id } pageInfo { total } }", {
    users: [ONE],
    posts: ALL,
    pageInfo: { total: 1 },
  }],
  [
    "post(id: 1) { tags(first: 1) { edges { node cursor } nodes totalCount pageInfo { hasNextPage } } }",
    {
      tags: {
        edges: [{ node: "a", cursor: btoa(":a") }],
        nodes: ["a"],
        totalCount: 2,
        pageInfo: { hasNextPage: true },
      },
    },
  ],
  [`post(id: 1) { tags(after: "${btoa(":a")}") { nodes pageInfo { hasPreviousPage } } }`, {
    tags: { nodes: ["b"], pageInfo: { hasPreviousPage: true } },
  }],
  ["postTags(first: 2) { nodes totalCount }", { nodes: ["a", "b"], totalCount: 3 }],
  ["postTitles { edges { node } }", {
    edges: ["Title 1", "Title 2", "Title 3"].map((node) => ({ node })),
  }],
  [
    "results(pageSize: 2, currentPage: 2) { items { id } filters { label } sorting { by } total_count page_info { page_size current_page total_pages } }",
    {
      items: [THREE],
      filters: null,
      sorting: null,
      total_count: 3,
      page_info: { page_size: 2, current_page: 2, total_pages: 2 },
    },
  ],
  ["rick(page: 3) { results { id } info { next prev } }", {
    results: [],
    info: { next: null, prev: 2 },
  }],
  [`search(first: 1) { nodes { id } edges { node { id } } totalCount archive { size } }`, {
    nodes: [ONE],
    edges: [{ node: ONE }],
    totalCount: 3,
    archive: null,
  }],
  [
    "strapi(page: 2, pageSize: 2) { data { id } meta { pagination { total page pageSize pageCount } } }",
    {
      data: [THREE],
      meta: { pagination: { total: 3, page: 2, pageSize: 2, pageCount: 2 } },
    },
  ],
  ["posts_aggregate(limit: 1) { aggregate { count max { title } } nodes { id } }", {
    aggregate: { count: 3, max: { title: "Title 3" } },
    nodes: [ONE],
  }],
];

const TAGS = [["a", "b"], ["b", "c"], []];
const DATA = {
  users: ALL.slice(0, 1),
  posts: ALL.map((post, index) => ({ ...post, title: `Title ${post.id}`, tags: TAGS[index] })),
};

for (const [query, expected] of PAGES) {
  Deno.test(`with the convention of connections, { ${query} } is a page`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    deepStrictEqual(Object.values(await data(`{ ${query} }`)), [expected]);
  });

  Deno.test(`resolvers that only delegate return the same page: { ${query} }`, async () => {
    const resolvers = delegateAll(buildSchema(SCHEMA));
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common", resolvers });
    deepStrictEqual(Object.values(await data(`{ ${query} }`)), [expected]);
  });
}

Deno.test("a resolver that replaces the records of a page keeps what describes the page", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    conventions: "common",
    resolvers: {
      Query: {
        feed(obj, args, context, info) {
          const page = mockGraphQLFieldResolver<{ nodes: object[] }>(obj, args, context, info);
          deepStrictEqual(Object.keys(page), ["edges", "nodes", "pageInfo", "totalCount"]);
          return { ...page, posts: page.nodes.toReversed() };
        },
        strapi(obj, args, context, info) {
          return { ...mockGraphQLFieldResolver<object>(obj, args, context, info), meta: {} };
        },
      },
    },
  });
  deepStrictEqual(await data("{ feed(pageSize: 2) { posts { id } cursor hasMore } }"), {
    feed: { posts: [TWO, ONE], cursor: cursor(2), hasMore: true },
  });
  deepStrictEqual(await data("{ strapi(pageSize: 2) { meta { pagination { total } } } }"), {
    strapi: { meta: { pagination: { total: 3 } } },
  });
});

Deno.test("without the convention, a type that wraps a page is a type with its own records", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: { posts: ALL, postFeeds: [{ id: "1", cursor: "x", hasMore: false, postIds: ["3"] }] },
  });
  deepStrictEqual(await data("{ feed { cursor posts { id } } }"), {
    feed: { cursor: "x", posts: [THREE] },
  });
});
