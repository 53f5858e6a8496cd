import { deepStrictEqual } from "node:assert/strict";
import { Kind, parse } from "graphql";
import type { Inspection } from "../execution/inspector.ts";
import { defineDialect, general, hasura, keystone, prisma, strapi } from "../every_dialect.ts";
import { createMock, type Dialect, type Mock } from "../mod.ts";

const POSTS = `
  type Post {
    id: ID! title: String! views: Int!
    author: User
    comments(limit: Int): [Comment!]!
  }
  type User { id: ID! name: String! username: String }
  type Comment { id: ID! text: String! }
`;

/** Requests, and the lines of dialects that they follow, of the first dialect that has each. */
const CASES: readonly {
  readonly name: string;
  readonly dialects: readonly Dialect[];
  readonly schema: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}[] = [
  {
    name: "Hasura's filter, order and page",
    dialects: [hasura, prisma, general],
    schema: `
      type Query { posts(where: posts_bool_exp, order_by: [posts_order_by!], limit: Int): [Post!]! }
      input posts_bool_exp {
        _and: [posts_bool_exp!] title: String_comparison_exp author: users_bool_exp
      }
      input users_bool_exp { name: String_comparison_exp }
      input String_comparison_exp { _eq: String _ilike: String }
      input posts_order_by { title: order_by }
      enum order_by { asc desc }
    `,
    query: `query($limit: Int) { posts(
      where: { _and: [{ title: { _ilike: "%a%" } }, { author: { name: { _eq: "Ada" } } }] }
      order_by: [{ title: desc }]
      limit: $limit
    ) { id } }`,
    variables: { limit: 2 },
    lines: [
      "hasura: list.filter.argument where",
      "hasura: list.filter.and _and",
      "hasura: list.filter.operators _ilike",
      "hasura: list.filter.operators _eq",
      "hasura: list.order.argument order_by",
      "hasura: list.limit limit",
    ],
  },
  ...[
    [[prisma], "prisma: aggregate.field aggregate{Record}"] as const,
    [
      [prisma, general],
      "general: words.aggregate aggregate",
    ] as const,
  ].map(([dialects, line]) => ({
    name: `a number of records, by ${dialects.at(-1)?.name}`,
    dialects,
    schema: `
      type Query { posts: [Post!]! aggregatePost: AggregatePost! }
      type AggregatePost { _count: PostCount _avg: PostAvg }
      type PostCount { _all: Int! }
      type PostAvg { views: Float }
    `,
    query: "{ aggregatePost { _count { _all } } }",
    lines: [line],
  })),
  {
    name: "Hasura's mutation, with a change of a value",
    dialects: [hasura, general],
    schema: `
      type Query { posts: [Post!]! }
      type Mutation {
        update_posts(where: posts_bool_exp!, _inc: posts_inc_input): posts_mutation_response
      }
      type posts_mutation_response { affected_rows: Int! returning: [Post!]! }
      input posts_bool_exp { title: String_comparison_exp }
      input String_comparison_exp { _eq: String }
      input posts_inc_input { views: Int }
    `,
    query: `mutation {
      update_posts(where: { title: { _eq: "A" } }, _inc: { views: 1 }) { affected_rows }
    }`,
    lines: ["hasura: mutations update_{records}", "hasura: changes _inc"],
  },
  {
    name: "Prisma's page and operators, of which Keystone comes later",
    dialects: [prisma, keystone],
    schema: `
      type Query { posts(where: PostWhereInput, take: Int, skip: Int): [Post!]! }
      input PostWhereInput { title: StringFilter OR: [PostWhereInput!] author: UserIs }
      input StringFilter { contains: String not: StringFilter }
      input UserIs { is: UserWhereInput }
      input UserWhereInput { name: StringFilter }
    `,
    query: `{ posts(take: 1, skip: 0, where: {
      OR: [{ title: { not: { contains: "z" } } }, { author: { is: { name: { contains: "a" } } } }]
    }) { id } }`,
    lines: [
      "prisma: list.limit take",
      "prisma: list.offset skip",
      "prisma: list.filter.argument where",
      "prisma: list.filter.or OR",
      "prisma: list.filter.not not",
      "prisma: list.filter.operators contains",
      "prisma: list.filter.related is",
    ],
  },
  {
    name: "Prisma's mutation",
    dialects: [prisma, keystone],
    schema: `
      type Query { posts: [Post!]! }
      type Mutation { deleteOnePost(where: PostWhereUniqueInput!): Post }
      input PostWhereUniqueInput { id: ID }
    `,
    query: 'mutation { deleteOnePost(where: { id: "1" }) { id } }',
    lines: ["prisma: mutations deleteOne{Record}"],
  },
  {
    name: "Strapi's page, an object",
    dialects: [strapi, general],
    schema: `
      type Query {
        posts(filters: PostFiltersInput, pagination: PaginationArg, sort: [String]): [Post!]!
      }
      input PostFiltersInput { title: StringFilterInput }
      input StringFilterInput { containsi: String }
      input PaginationArg { page: Int pageSize: Int }
    `,
    query: `{ posts(
      filters: { title: { containsi: "a" } }, pagination: { page: 1, pageSize: 2 }, sort: ["title"]
    ) { id } }`,
    lines: [
      "strapi: list.filter.argument filters",
      "strapi: list.filter.operators containsi",
      "strapi: list.page pagination.page",
      "strapi: list.limit pagination.pageSize",
      "strapi: list.order.argument sort",
    ],
  },
  {
    name: "words of general",
    dialects: [hasura, general],
    schema: `type Query { posts(perPage: Int, sortBy: String, search: String): [Post!]! }`,
    query: '{ posts(perPage: 2, sortBy: "title", search: "a") { id } }',
    lines: [
      "general: words.limit per",
      "general: words.order sort",
      "general: words.search search",
    ],
  },
  {
    name: "a verb of a team's own",
    dialects: [hasura, defineDialect({ name: "ours", words: { delete: "erase" } })],
    schema: `type Query { posts: [Post!]! } type Mutation { erasePost(id: ID!): Post }`,
    query: "mutation { erasePost(id: 1) { id } }",
    lines: ["ours: words.delete erase"],
  },
  {
    name: "a word of general that changes a value",
    dialects: [hasura, general],
    schema: `type Query { posts: [Post!]! }
      type Mutation { renamePost(id: ID!, title: String!): Post }`,
    query: 'mutation { renamePost(id: 1, title: "B") { id } }',
    lines: ["general: words.change rename"],
  },
  {
    name: "a login",
    dialects: [hasura, general],
    schema: `
      type Query { me: User }
      type Mutation { signIn(username: String!, password: String!): User }
    `,
    query: 'mutation { signIn(username: "ada", password: "x") { id } }',
    lines: ["general: words.login signIn"],
  },
  {
    name: "nothing of a dialect",
    dialects: [hasura, general],
    schema:
      `type Query { posts(title: String): [Post!]! } type Mutation { deletePost(id: ID!): Post }`,
    query: '{ posts(title: "A") { id } }',
    lines: [],
  },
];

for (const { name, dialects, schema, query, variables, lines } of CASES) {
  Deno.test(`explain() names the lines of dialects that were followed: ${name}`, async () => {
    const mock: Mock & { readonly inspection?: Inspection } = createMock(
      POSTS + schema,
      undefined,
      { conventions: dialects, warnings: false },
    );
    mock.db.loadData({
      users: [{ id: "1", name: "Ada", username: "ada" }],
      posts: [{ id: "1", title: "A", views: 1, authorId: "1" }],
    });
    await mock.query(query, { ...variables });
    const document = parse(query);
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError("not an operation");
    const explanation = await mock.inspection?.explain?.(
      { operation, checked: { document } },
      [],
      variables,
    );
    deepStrictEqual(
      explanation?.answers.flatMap(({ dialectRules }) =>
        dialectRules.map(({ dialect, place, pattern }) => `${dialect}: ${place} ${pattern}`)
      ),
      lines,
    );
  });
}
