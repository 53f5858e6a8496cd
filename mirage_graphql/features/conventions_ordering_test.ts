import { deepStrictEqual, match } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  enum Direction { ASC DESC }
  enum Sort { asc desc }
  enum Nulls { asc_nulls_first desc_nulls_last asc desc }
  enum PostsOrderBy { NATURAL PRIMARY_KEY_ASC PRIMARY_KEY_DESC TITLE_ASC TITLE_DESC AUTHOR_BY_AUTHOR_ID__NAME_ASC
    COMMENTS_COUNT_DESC RELEVANCE NOT_THERE }
  enum PostOrderField { TITLE CREATED_AT }
  enum PostSortKeys { TITLE CREATED_AT RELEVANCE }
  enum Camel { title_ASC title_DESC createdAt_DESC }
  input PostOrder { field: PostOrderField! direction: Direction! }
  input PostOrderBy { title: Nulls id: Nulls author: AuthorOrderBy comments_aggregate: Aggregate rank: Nulls }
  input AuthorOrderBy { name: Nulls }
  input Aggregate { count: Nulls }
  input SortInput { sort: Sort! nulls: String }
  input PrismaOrderBy { title: Sort rank: SortInput comments: CountOrder }
  input CountOrder { _count: Sort }
  enum PostOrderable { title createdAt rank }
  input DgraphOrder { asc: PostOrderable desc: PostOrderable then: DgraphOrder }
  type Post { id: ID! title: String rank: Int createdAt: String author: Author comments: [Comment!]! }
  type Author { id: ID! name: String posts(orderBy: PostsOrderBy): [Post!]! }
  type Comment { id: ID! post: Post }
  union Thing = Post | Author
  type Query {
    enums(orderBy: [PostsOrderBy!] = [PRIMARY_KEY_ASC], reverse: Boolean): [Post!]!
    hasura(order_by: [PostOrderBy!]): [Post!]!
    prisma(orderBy: [PrismaOrderBy!]): [Post!]!
    github(orderBy: PostOrder): [Post!]!
    strapi(sort: [String]): [Post!]!
    dgraph(order: DgraphOrder): [Post!]!
    text(sort: String): [Post!]!
    split(sortBy: String, order: Sort): [Post!]!
    directed(sortField: String, sortDirection: Direction = DESC): [Post!]!
    shopify(sortKey: PostSortKeys = TITLE, reverse: Boolean = false): [Post!]!
    camel(orderBy: Camel): [Post!]!
    amplify(sortDirection: Direction): [Post!]!
    one(orderBy: Camel): Post
    authors: [Author!]!
    things(sort: String): [Thing!]!
  }
`;

const DATA = {
  authors: [
    { id: "1", name: "Zoe", postIds: ["2", "1"] },
    { id: "2", name: "Ada", postIds: ["3", "4"] },
  ],
  comments: ["3", "3", "1"].map((postId, index) => ({ id: String(index + 1), postId })),
  posts: [
    { id: "1", title: "b", rank: 10, createdAt: "2024-01-02", authorId: "1", commentIds: ["3"] },
    { id: "2", title: "a", rank: 9, createdAt: "2024-01-03", authorId: "1", commentIds: [] },
    {
      id: "3",
      title: "a",
      rank: null,
      createdAt: "2024-01-01",
      authorId: "2",
      commentIds: ["1", "2"],
    },
    { id: "4", title: "B", rank: 10, createdAt: "2024-01-04", authorId: "2", commentIds: [] },
    { id: "5", title: null, rank: 2, createdAt: "2024-01-05", authorId: null, commentIds: [] },
  ],
};

const ORDERS: readonly [field: string, ids: string][] = [
  ["enums", "12345"],
  ["enums(orderBy: NATURAL)", "12345"],
  ["enums(orderBy: PRIMARY_KEY_DESC)", "54321"],
  ["enums(orderBy: TITLE_ASC)", "42315"],
  ["enums(orderBy: TITLE_DESC)", "51234"],
  ["enums(orderBy: [TITLE_ASC, PRIMARY_KEY_DESC])", "43215"],
  ["enums(orderBy: AUTHOR_BY_AUTHOR_ID__NAME_ASC)", "34125"],
  ["enums(orderBy: COMMENTS_COUNT_DESC)", "31245"],
  ["enums(orderBy: RELEVANCE)", "12345"],
  ["enums(reverse: true)", "54321"],
  ["hasura(order_by: { title: asc })", "42315"],
  ["hasura(order_by: { title: desc_nulls_last })", "12345"],
  ["hasura(order_by: { title: asc_nulls_first })", "54231"],
  ["hasura(order_by: [{ title: asc }, { id: desc }])", "43215"],
  ["hasura(order_by: { author: { name: asc } })", "34125"],
  ["hasura(order_by: { comments_aggregate: { count: desc } })", "31245"],
  ["hasura(order_by: { rank: desc })", "31425"],
  ["hasura(order_by: {})", "12345"],
  ["dgraph(order: { desc: createdAt })", "54213"],
  ["dgraph(order: { asc: title, then: { desc: createdAt } })", "42315"],
  ["dgraph(order: { then: { asc: rank } })", "52143"],
  ["prisma(orderBy: { title: desc })", "51234"],
  ['prisma(orderBy: { rank: { sort: asc, nulls: "first" } })', "35214"],
  ["prisma(orderBy: [{ comments: { _count: desc } }, { title: asc }])", "31425"],
  ["github(orderBy: { field: CREATED_AT, direction: DESC })", "54213"],
  ["github(orderBy: { field: TITLE, direction: ASC })", "42315"],
  [`strapi(sort: ["title:asc", "id:desc"])`, "43215"],
  [`strapi(sort: "author.name:asc")`, "34125"],
  [`text(sort: "-createdAt")`, "54213"],
  [`text(sort: "created_at")`, "31245"],
  [`text(sort: "title desc, id asc")`, "51234"],
  [`text(sort: "newest")`, "54213"],
  [`split(sortBy: "createdAt", order: desc)`, "54213"],
  [`split(sortBy: "createdAt")`, "31245"],
  [`split(order: desc)`, "54321"],
  [`directed(sortField: "createdAt")`, "54213"],
  ["shopify", "12345"],
  ["shopify(sortKey: CREATED_AT)", "31245"],
  ["shopify(sortKey: CREATED_AT, reverse: true)", "54213"],
  ["shopify(reverse: true)", "51234"],
  ["camel(orderBy: createdAt_DESC)", "54213"],
  ["amplify(sortDirection: DESC)", "54321"],
];

for (const [field, ids] of ORDERS) {
  Deno.test(`with the convention of ordering, ${field} returns the records "${ids}"`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA, conventions: { ordering: true } });
    const [records] = Object.values(await data(`{ ${field} { id } }`));
    deepStrictEqual((records as { id: string }[]).map(({ id }) => id).join(""), ids);
  });
}

Deno.test("relations and single fields are ordered, and so are records of several types", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  deepStrictEqual(
    await data(`{
      authors { posts(orderBy: TITLE_DESC) { id } }
      one(orderBy: createdAt_DESC) { id }
      things(sort: "-id") { ... on Post { post: id } ... on Author { author: id } }
    }`),
    {
      authors: [{ posts: [{ id: "1" }, { id: "2" }] }, { posts: [{ id: "3" }, { id: "4" }] }],
      one: { id: "5" },
      things: [
        { post: "5" },
        { post: "4" },
        { post: "3" },
        { post: "2" },
        { author: "2" },
        { post: "1" },
        { author: "1" },
      ],
    },
  );
});

Deno.test("an unknown sort key is an error, or is ignored like unknown arguments", async () => {
  const query = `{ text(sort: "notThere") { id } }`;
  const { errors } = createMockServer(SCHEMA, { data: DATA, conventions: "common" });
  deepStrictEqual(await errors(query), [
    'Cannot sort Query.text by "notThere": Post has no such attribute. Write a resolver for ' +
    "Query.text that sorts by it",
  ]);
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    conventions: "common",
    unknownArguments: "ignore",
  });
  deepStrictEqual((await data(query)).text.length, 5);
});

Deno.test("without the convention, ordering arguments are still errors", async () => {
  for (const conventions of ["strict", { paging: true }] as const) {
    const { errors } = createMockServer(SCHEMA, { data: DATA, conventions });
    const [message] = await errors(`{ text(sort: "title") { id } }`);
    match(message ?? "", /^Cannot filter Query.text by the argument "sort"/);
  }
});

Deno.test("an id that is named after an order does not sort", async () => {
  const schema = `
    type Line { id: ID! order: Order }
    type Order { id: ID! lines: [Line!]! }
    type Query { lines(orderId: ID): [Line!]! orders(orderId: ID!): [Order!]! }
  `;
  const data = {
    orders: [{ id: "1", lineIds: ["2"] }, { id: "2", lineIds: ["1"] }],
    lines: [{ id: "1", orderId: "2" }, { id: "2", orderId: "1" }],
  };
  const mock = createMockServer(schema, { data, conventions: "common" });
  deepStrictEqual(await mock.data("{ lines(orderId: 1) { id } orders(orderId: 2) { id } }"), {
    lines: [{ id: "2" }],
    orders: [{ id: "2" }],
  });
});
