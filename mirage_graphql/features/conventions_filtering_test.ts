import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  enum Status { DRAFT LIVE GONE }
  enum Mode { default insensitive }
  scalar DateTime

  input StringExp { _eq: String _neq: String _in: [String!] _nin: [String!] _like: String _nlike: String
    _ilike: String _is_null: Boolean _gt: String }
  input IntExp { _eq: Int _neq: Int _gt: Int _gte: Int _lt: Int _lte: Int _in: [Int!] _nin: [Int!] _is_null: Boolean }
  input CommentAggregate { count: CommentAggregateCount }
  input CommentAggregateCount { arguments: [String!] distinct: Boolean filter: CommentBoolExp predicate: IntExp! }
  input PostBoolExp { comments_aggregate: CommentAggregate _and: [PostBoolExp!] _or: [PostBoolExp!] _not: PostBoolExp title: StringExp rank: IntExp
    author: AuthorBoolExp comments: CommentBoolExp author_id: IntExp }
  input AuthorBoolExp { name: StringExp posts: PostBoolExp _not: AuthorBoolExp }
  input CommentBoolExp { text: StringExp }

  input StringFilter { equals: String not: StringFilter in: [String!] notIn: [String!] lt: String contains: String
    startsWith: String endsWith: String mode: Mode }
  input IntFilter { equals: Int not: Int gt: Int lte: Int in: [Int!] }
  input PostWhere { AND: [PostWhere!] OR: [PostWhere!] NOT: [PostWhere!] title: StringFilter rank: IntFilter
    author: AuthorRelationFilter comments: CommentListFilter id: ID }
  input AuthorRelationFilter { is: AuthorWhere isNot: AuthorWhere }
  input AuthorWhere { name: StringFilter }
  input CommentListFilter { every: CommentWhere some: CommentWhere none: CommentWhere }
  input CommentWhere { text: StringFilter }

  input Prisma1Where { commentsCount: Int commentsCount_gt: Int likesCount_gte: Int title: String title_not: String title_in: [String!] title_contains: String
    title_not_contains: String title_starts_with: String rank_gt: Int rank_lte: Int rank_not_in: [Int!]
    comments_some: Prisma1Comment comments_none: Prisma1Comment author: Prisma1Author OR: [Prisma1Where!] }
  input Prisma1Comment { text: String }
  input Prisma1Author { name: String }

  input ModelString { eq: String ne: String le: String lt: String ge: String gt: String contains: String
    notContains: String between: [String] beginsWith: String attributeExists: Boolean }
  input ModelInt { eq: Int ne: Int le: Int between: [Int] }
  input ModelPostFilter { title: ModelString rank: ModelInt and: [ModelPostFilter] or: [ModelPostFilter] not: ModelPostFilter }

  input LinearString { eq: String neq: String eqIgnoreCase: String containsIgnoreCase: String null: Boolean nin: [String!] }
  input TagsFilter { tags: TagFilter }
  input TagFilter { contains: [String!] overlaps: [String!] }
  input LinearPost { title: LinearString author: LinearAuthor comments: LinearComments or: [LinearPost!] }
  input LinearAuthor { name: LinearString null: Boolean }
  input LinearComments { text: LinearString some: LinearComments every: LinearComments length: LinearNumber }
  input LinearNumber { eq: Int gt: Int }

  input StrapiString { eq: String eqi: String ne: String notNull: Boolean null: Boolean containsi: String notContainsi: String
    startsWith: String not: StrapiString }
  input StrapiPost { title: StrapiString author: StrapiAuthor and: [StrapiPost] or: [StrapiPost] not: StrapiPost }
  input StrapiAuthor { name: StrapiString }

  input PgCondition { title: String rank: Int authorId: ID }
  input PgString { isNull: Boolean equalTo: String notEqualTo: String distinctFrom: String includesInsensitive: String
    likeInsensitive: String in: [String!] notIn: [String!] }
  input PgFilter { title: PgString author: PgAuthor authorExists: Boolean comments: PgComments commentsExist: Boolean and: [PgFilter!] not: PgFilter }
  input PgAuthor { name: PgString }
  input PgComments { some: PgComment every: PgComment none: PgComment }
  input PgComment { text: PgString }

  enum PostHas { title author comments rank }
  input DgraphText { anyoftext: String alloftext: String }
  input CountFilter { commentsCount: IntFilter }
  input DgraphPost { has: [PostHas] title: DgraphText not: DgraphPost }

  type Like { id: ID! }
  type Names { native: String english: String }
  type Post { id: ID! title: String names: Names rank: Int status: Status tags: [String!] publishedAt: DateTime author: Author comments: [Comment!]! likes: [Like!]! likesCount: Int! }
  type Author { id: ID! name: String posts(where: PostBoolExp): [Post!]! }
  type Comment { id: ID! text: String post: Post }
  type PageInfo { hasNextPage: Boolean! }
  type PostEdge { cursor: String! node: Post! }
  type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
  type Query {
    hasura(where: PostBoolExp): [Post!]!
    prisma(where: PostWhere! = {}): [Post!]!
    prisma1(where: Prisma1Where): [Post!]!
    amplify(filter: ModelPostFilter): [Post!]!
    linear(filter: LinearPost): [Post!]!
    strapi(filters: StrapiPost): [Post!]!
    pg(condition: PgCondition, filter: PgFilter): [Post!]!
    tagged(filter: TagsFilter): [Post!]!
    counted(filter: CountFilter): [Post!]!
    dgraph(filter: DgraphPost): [Post!]!
    github(states: [Status!], minRank: Int, rank_lt: Int, search: String, authorName: String): [Post!]!
    post(where: PostWhere): Post
    page(first: Int, where: PostBoolExp): PostConnection!
    authors: [Author!]!
  }
`;

const DATA = {
  authors: [{ id: "1", name: "Ada", postIds: ["1", "2"] }, { id: "2", name: null, postIds: ["3"] }],
  comments: [
    { id: "1", text: "good", postId: "1" },
    { id: "2", text: "bad", postId: "1" },
    { id: "3", text: "good", postId: "2" },
    { id: "4", text: null, postId: "3" },
  ],
  posts: [
    {
      id: "1",
      title: "Alpha",
      tags: ["a", "b"],
      rank: 10,
      status: "LIVE",
      authorId: "1",
      commentIds: ["1", "2"],
    },
    {
      id: "2",
      title: "beta",
      likesCount: 7,
      tags: ["b"],
      names: { native: "Omega" },
      rank: 2,
      status: "DRAFT",
      authorId: "1",
      commentIds: ["3"],
    },
    { id: "3", title: null, rank: 5, status: "GONE", authorId: "2", commentIds: ["4"] },
    { id: "4", title: "100%", rank: null, status: "LIVE", authorId: null, commentIds: [] },
  ],
};

const FILTERS: readonly [field: string, ids: string][] = [
  ["hasura", "1234"],
  ["hasura(where: {})", "1234"],
  [`hasura(where: { title: { _eq: "Alpha" } })`, "1"],
  [`hasura(where: { title: { _neq: "Alpha" } })`, "24"],
  [`hasura(where: { _not: { title: { _eq: "Alpha" } } })`, "24"],
  [`hasura(where: { title: { _in: ["beta", "100%"] } })`, "24"],
  [`hasura(where: { title: { _nin: ["beta"] } })`, "14"],
  [`hasura(where: { title: { _in: [] } })`, ""],
  [`hasura(where: { title: { _like: "%a" } })`, "12"],
  [`hasura(where: { title: { _like: "a%" } })`, ""],
  [`hasura(where: { title: { _ilike: "a____" } })`, "1"],
  [`hasura(where: { title: { _nlike: "%a" } })`, "4"],
  [`hasura(where: { title: { _like: "100\\\\%" } })`, "4"],
  ["hasura(where: { title: { _is_null: true } })", "3"],
  ["hasura(where: { title: { _is_null: false } })", "124"],
  ["hasura(where: { rank: { _gt: 2, _lte: 10 } })", "13"],
  ["hasura(where: { rank: { _in: [2, 5] } })", "23"],
  ["hasura(where: { _or: [] })", ""],
  ["hasura(where: { _and: [] })", "1234"],
  ["hasura(where: { _or: [{ rank: { _eq: 2 } }, { rank: { _is_null: true } }] })", "24"],
  [`hasura(where: { _and: [{ rank: { _gte: 2 } }, { title: { _neq: "beta" } }] })`, "1"],
  ["hasura(where: { _not: {} })", ""],
  [`hasura(where: { author: { name: { _eq: "Ada" } } })`, "12"],
  [`hasura(where: { _not: { author: { name: { _eq: "Ada" } } } })`, "34"],
  [`hasura(where: { author: {} })`, "123"],
  [`hasura(where: { comments: { text: { _eq: "good" } } })`, "12"],
  [`hasura(where: { author: { posts: { rank: { _eq: 2 } } } })`, "12"],
  ["hasura(where: { author_id: { _eq: 2 } })", "3"],
  ["hasura(where: { author_id: { _is_null: true } })", "4"],
  ["prisma", "1234"],
  ["prisma(where: { id: 2 })", "2"],
  [`prisma(where: { title: { contains: "LPH", mode: insensitive } })`, "1"],
  [`prisma(where: { title: { contains: "LPH" } })`, ""],
  [`prisma(where: { title: { startsWith: "A", endsWith: "a" } })`, "1"],
  [`prisma(where: { title: { not: { in: ["beta"] } } })`, "14"],
  ["prisma(where: { title: { equals: null } })", "3"],
  ["prisma(where: { rank: { not: null } })", "123"],
  ["prisma(where: { rank: { not: 2 } })", "13"],
  [`prisma(where: { OR: [{ rank: { gt: 9 } }, { title: { equals: "beta" } }] })`, "12"],
  [`prisma(where: { NOT: [{ rank: { gt: 9 } }, { title: { equals: "beta" } }] })`, ""],
  ["prisma(where: { NOT: { rank: { gt: 4 } } })", "2"],
  [`prisma(where: { author: { is: { name: { equals: "Ada" } } } })`, "12"],
  [`prisma(where: { author: { isNot: { name: { equals: "Ada" } } } })`, "34"],
  ["prisma(where: { author: { is: null } })", "4"],
  ["prisma(where: { author: { isNot: null } })", "123"],
  [`prisma(where: { comments: { some: { text: { equals: "good" } } } })`, "12"],
  [`prisma(where: { comments: { every: { text: { equals: "good" } } } })`, "24"],
  [`prisma(where: { comments: { none: { text: { equals: "good" } } } })`, "34"],
  ["prisma(where: { comments: { some: {} } })", "123"],
  ["prisma(where: { comments: { none: {} } })", "4"],
  [`prisma1(where: { title: "beta" })`, "2"],
  ["prisma1(where: { title: null })", "3"],
  [`prisma1(where: { title_not: "beta" })`, "14"],
  [`prisma1(where: { title_in: ["beta"] })`, "2"],
  [`prisma1(where: { title_contains: "a" })`, "12"],
  [`prisma1(where: { title_not_contains: "a" })`, "4"],
  [`prisma1(where: { title_starts_with: "1" })`, "4"],
  ["prisma1(where: { rank_gt: 2, rank_lte: 5 })", "3"],
  ["prisma1(where: { rank_not_in: [2, 5] })", "1"],
  [`prisma1(where: { comments_some: { text: "bad" } })`, "1"],
  [`prisma1(where: { comments_none: { text: "good" } })`, "34"],
  [`prisma1(where: { author: { name: "Ada" } })`, "12"],
  [`prisma1(where: { OR: [{ rank_gt: 9 }, { title: "beta" }] })`, "12"],
  [`amplify(filter: { title: { beginsWith: "A" } })`, "1"],
  ["amplify(filter: { rank: { between: [2, 5] } })", "23"],
  [`amplify(filter: { title: { notContains: "a" } })`, "4"],
  ["amplify(filter: { title: { attributeExists: false } })", "3"],
  [
    `amplify(filter: { or: [{ rank: { le: 2 } }, { title: { eq: "Alpha" } }], not: { rank: { eq: 2 } } })`,
    "1",
  ],
  [`linear(filter: { title: { eqIgnoreCase: "ALPHA" } })`, "1"],
  ["linear(filter: { title: { null: true } })", "3"],
  [`linear(filter: { title: { nin: ["beta"] } })`, "14"],
  ["linear(filter: { author: { null: true } })", "4"],
  [`linear(filter: { author: { name: { eq: "Ada" } }, title: { neq: "beta" } })`, "1"],
  [`linear(filter: { comments: { some: { text: { eq: "bad" } } } })`, "1"],
  [`linear(filter: { comments: { every: { text: { eq: "good" } } } })`, "24"],
  ["linear(filter: { comments: { length: { gt: 1 } } })", "1"],
  [`strapi(filters: { title: { containsi: "ALP" } })`, "1"],
  [`strapi(filters: { title: { notContainsi: "ALP" } })`, "24"],
  ["strapi(filters: { title: { notNull: true } })", "124"],
  [`strapi(filters: { title: { eqi: "BETA" } })`, "2"],
  [`strapi(filters: { title: { not: { startsWith: "A" } } })`, "24"],
  [`strapi(filters: { not: { author: { name: { eq: "Ada" } } } })`, "34"],
  ["pg(condition: { rank: 2 })", "2"],
  ["pg(condition: { title: null })", "3"],
  ["pg(condition: { authorId: 1 })", "12"],
  [`pg(filter: { title: { distinctFrom: "beta" } })`, "134"],
  [`pg(filter: { title: { notEqualTo: "beta" } })`, "14"],
  [`pg(filter: { title: { includesInsensitive: "ALPH" } })`, "1"],
  [`pg(filter: { title: { likeInsensitive: "B%" } })`, "2"],
  ["pg(filter: { authorExists: false })", "4"],
  ["pg(filter: { commentsExist: true })", "123"],
  [`pg(filter: { author: { name: { isNull: true } } })`, "3"],
  [`pg(filter: { comments: { none: { text: { equalTo: "good" } } } })`, "34"],
  [`pg(condition: { authorId: 1 }, filter: { title: { equalTo: "beta" } })`, "2"],
  ["hasura(where: { comments_aggregate: { count: { predicate: { _gt: 1 } } } })", "1"],
  [
    "hasura(where: { comments_aggregate: { count: { predicate: { _eq: 0 }, distinct: true } } })",
    "4",
  ],
  [
    `hasura(where: { comments_aggregate: { count: { predicate: { _eq: 1 }, filter: { text: { _eq: "good" } } } } })`,
    "12",
  ],
  ["prisma1(where: { commentsCount: 1 })", "23"],
  ["prisma1(where: { commentsCount_gt: 0 })", "123"],
  ["prisma1(where: { likesCount_gte: 7 })", "2"],
  ["counted(filter: { commentsCount: { in: [0, 2] } })", "14"],
  [`tagged(filter: { tags: { contains: ["b"] } })`, "12"],
  [`tagged(filter: { tags: { contains: ["b", "a"] } })`, "1"],
  [`tagged(filter: { tags: { overlaps: ["b", "a"] } })`, "12"],
  ["dgraph(filter: { has: [title] })", "124"],
  ["dgraph(filter: { has: [author, rank] })", "123"],
  ["dgraph(filter: { not: { has: comments } })", "4"],
  [`dgraph(filter: { title: { anyoftext: "other ALPHAS" } })`, "1"],
  [`dgraph(filter: { title: { anyoftext: "alph" } })`, ""],
  [`dgraph(filter: { title: { alloftext: "beta alpha" } })`, ""],
  ["github(states: [LIVE, GONE])", "134"],
  ["github(minRank: 5)", "13"],
  ["github(rank_lt: 5)", "2"],
  [`github(search: "ALPH")`, "1"],
  [`github(search: "omega")`, "2"],
];

for (const [field, ids] of FILTERS) {
  Deno.test(`with the convention of filtering, ${field} returns the records "${ids}"`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: { filtering: true } });
    const [records] = Object.values(await data(`{ ${field} { id } }`));
    deepStrictEqual((records as { id: string }[]).map(({ id }) => id).join(""), ids);
  });
}

Deno.test("single fields, relations and connections are filtered, with variables too", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  deepStrictEqual(
    await data(
      `query ($where: PostBoolExp) {
        post(where: { title: { equals: "beta" } }) { id }
        authors { posts(where: $where) { id } }
        page(first: 1, where: $where) { nodes { id } totalCount }
      }`,
      { where: { rank: { _gt: 2 } } },
    ),
    {
      post: { id: "2" },
      authors: [{ posts: [{ id: "1" }] }, { posts: [{ id: "3" }] }],
      page: { nodes: [{ id: "1" }], totalCount: 2 },
    },
  );
});

Deno.test("a filter that matches no rule is an error, or is ignored like unknown arguments", async () => {
  const schema = `
    input Where { title: StringOps near: String } input StringOps { eq: String soundsLike: String }
    type Post { id: ID! title: String } type Query { posts(where: Where): [Post!]! }
  `;
  const data = { posts: [{ id: "1", title: "a" }, { id: "2", title: "b" }] };
  const { errors } = createMockServer(schema, { data, conventions: "common" });
  const cannot = (key: string) =>
    `Cannot filter Query.posts by "${key}" of the argument "where": Post has no such attribute, ` +
    'and no operator has that name. Write a resolver for Query.posts that handles "where"';
  deepStrictEqual(await errors(`{ posts(where: { near: "x" }) { id } }`), [cannot("near")]);
  deepStrictEqual(await errors(`{ posts(where: { title: { soundsLike: "x" } }) { id } }`), [
    cannot("soundsLike"),
  ]);
  const lenient = createMockServer(schema, {
    data,
    conventions: "common",
    unknownArguments: "ignore",
  });
  deepStrictEqual(
    await lenient.data(
      `{ posts(where: { near: "x", title: { eq: "b", soundsLike: "x" } }) { id } }`,
    ),
    { posts: [{ id: "2" }] },
  );
});

Deno.test("without the convention, input objects are still errors", async () => {
  for (const conventions of ["strict", { paging: true }] as const) {
    const { errors } = createMockServer(SCHEMA, { data: DATA, conventions });
    const [message] = await errors("{ hasura(where: {}) { id } }");
    match(message ?? "", /^Cannot filter Query.hasura by the argument "where"/);
  }
});
