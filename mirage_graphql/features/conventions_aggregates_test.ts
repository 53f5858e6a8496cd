import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  scalar BigFloat
  enum PostColumn { title price rank }
  type Author { id: ID! name: String posts: [Post!]! postsAggregate(filter: PostFilter): PostAggregateResult
    posts_aggregate(where: PostWhere): posts_aggregate! }
  type Post { id: ID! title: String price: Float rank: Int author: Author }
  input PostFilter { has: [PostColumn!] }
  input IntExp { _gt: Int }
  input PostWhere { rank: IntExp }

  type posts_aggregate { aggregate: posts_aggregate_fields nodes: [Post!]! }
  type posts_aggregate_fields { count(columns: [PostColumn!], distinct: Boolean): Int! sum: posts_sum_fields
    avg: posts_avg_fields max: posts_max_fields min: posts_max_fields stddev: posts_avg_fields }
  type posts_sum_fields { rank: Int price: Float }
  type posts_avg_fields { rank: Float price: Float }
  type posts_max_fields { title: String rank: Int id: ID }

  type PostEdge { node: Post! cursor: String! }
  type PageInfo { hasNextPage: Boolean! }
  type PostConnection { edges: [PostEdge!]! pageInfo: PageInfo! aggregate: AggregatePost! aggregates: PostAggregates
    max(field: PostColumn!): Float distinct(field: PostColumn!): [String!]! group(field: PostColumn!): [Group!] }
  type Group { totalCount: Int! }
  type AggregatePost { count: Int! }
  type PostAggregates { keys: [String] average: PostAverages distinctCount: PostCounts }
  type PostAverages { price: BigFloat }
  type PostCounts { title: Int }

  type PostAggregateResult { count: Int titleMin: String titleMax: String priceSum: Float priceAvg: Float rankMax: Int }
  type PrismaPosts { _count: PrismaCounts _sum: PrismaSums _max: PrismaSums }
  type PrismaCounts { _all: Int! title: Int! }
  type PrismaSums { rank: Int }
  type PriceRange { min: Money max: Money }
  type Money { amount: Int }
  type Shop { id: ID! range: PriceRange }

  type Query {
    posts: [Post!]!
    authors: [Author!]!
    shops: [Shop!]!
    posts_aggregate(where: PostWhere, limit: Int): posts_aggregate!
    postsConnection(first: Int, where: PostWhere): PostConnection!
    aggregatePost(filter: PostFilter): PostAggregateResult
    aggregatePrisma: Int
    statsPosts(where: PostWhere): PrismaPosts
  }
`;

const DATA = {
  authors: [{ id: "1", name: "Ada", postIds: ["1", "2"] }, { id: "2", name: "Bob", postIds: [] }],
  posts: [
    { id: "1", title: "b", price: 1.5, rank: 10, authorId: "1" },
    { id: "2", title: "a", price: 3, rank: 9, authorId: "1" },
    { id: "3", title: "a", price: null, rank: 2, authorId: null },
  ],
  shops: [{ id: "1", range: { min: { amount: 5 }, max: { amount: 7 } } }],
};

const AGGREGATES: readonly [query: string, expected: unknown][] = [
  [
    "posts_aggregate { aggregate { count sum { rank price } avg { price } max { title rank } min { title rank id } } }",
    {
      aggregate: {
        count: 3,
        sum: { rank: 21, price: 4.5 },
        avg: { price: 2.25 },
        max: { title: "b", rank: 10 },
        min: { title: "a", rank: 2, id: "1" },
      },
    },
  ],
  [
    "posts_aggregate(where: { rank: { _gt: 5 } }, limit: 1) { aggregate { sum { rank } } nodes { id } }",
    {
      aggregate: { sum: { rank: 19 } },
      nodes: [{ id: "1" }],
    },
  ],
  [
    "posts_aggregate(where: { rank: { _gt: 99 } }) { aggregate { count sum { rank } max { title } } }",
    {
      aggregate: { count: 0, sum: { rank: null }, max: { title: null } },
    },
  ],
  [
    "posts_aggregate { aggregate { a: count(columns: price) b: count(columns: title, distinct: true) c: count(columns: [title, rank]) stddev { rank } } }",
    { aggregate: { a: 2, b: 2, c: 3, stddev: { rank: null } } },
  ],
  ["postsConnection(first: 1) { aggregate { count } edges { node { id } } }", {
    aggregate: { count: 3 },
    edges: [{ node: { id: "1" } }],
  }],
  ["postsConnection { aggregates { keys average { price } distinctCount { title } } }", {
    aggregates: { keys: null, average: { price: 2.25 }, distinctCount: { title: 2 } },
  }],
  [
    "postsConnection { max(field: rank) distinct(field: title) group(field: title) { totalCount } }",
    {
      max: 10,
      distinct: ["b", "a"],
      group: null,
    },
  ],
  ["aggregatePost { count titleMin titleMax priceSum priceAvg rankMax }", {
    count: 3,
    titleMin: "a",
    titleMax: "b",
    priceSum: 4.5,
    priceAvg: 2.25,
    rankMax: 10,
  }],
  ["aggregatePost(filter: { has: price }) { count }", { count: 2 }],
  [
    "statsPosts(where: { rank: { _gt: 5 } }) { _count { _all title } _sum { rank } _max { rank } }",
    {
      _count: { _all: 2, title: 2 },
      _sum: { rank: 19 },
      _max: { rank: 10 },
    },
  ],
  [
    "authors { postsAggregate { count rankMax } posts_aggregate(where: { rank: { _gt: 9 } }) { aggregate { count } } }",
    [
      { postsAggregate: { count: 2, rankMax: 10 }, posts_aggregate: { aggregate: { count: 1 } } },
      { postsAggregate: { count: 0, rankMax: null }, posts_aggregate: { aggregate: { count: 0 } } },
    ],
  ],
  ["shops { range { min { amount } max { amount } } }", [
    { range: { min: { amount: 5 }, max: { amount: 7 } } },
  ]],
];

for (const [query, expected] of AGGREGATES) {
  Deno.test(`with the convention of aggregates, { ${query} } is computed`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
    deepStrictEqual(Object.values(await data(`{ ${query} }`)), [expected]);
  });
}

Deno.test("aggregates that are stored in a record are not computed", async () => {
  const [ada, ...others] = DATA.authors;
  const authors = [{ ...ada, postsAggregate: { count: 7 } }, ...others];
  const { data } = createMockServer(SCHEMA, { data: { ...DATA, authors }, conventions: "common" });
  deepStrictEqual(await data("{ authors { postsAggregate { count rankMax } } }"), {
    authors: [
      { postsAggregate: { count: 7, rankMax: null } },
      { postsAggregate: { count: 0, rankMax: null } },
    ],
  });
});
